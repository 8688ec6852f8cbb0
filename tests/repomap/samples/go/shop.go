package shop

import "example.org/till"

const Limit = 3

type Basket struct {
	Lines []string
}

type Priced interface {
	Price(rate int) (int, error)
}

func (b *Basket) Add(name string) error { return Checkout(b) }

func Checkout(b *Basket) error { return till.Close(b) }
