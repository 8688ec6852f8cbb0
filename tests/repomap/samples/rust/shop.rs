use crate::till::Till;

pub const LIMIT: u8 = 3;

pub struct Basket<T> {
    lines: Vec<T>,
}

pub trait Priced {
    fn price(&self, rate: u8) -> u8;
}

impl<T: Priced> Basket<T> {
    pub fn add(&mut self, line: T) -> bool {
        checkout(self)
    }
}

pub fn checkout<T>(basket: &Basket<T>) -> bool where T: Priced { true }
