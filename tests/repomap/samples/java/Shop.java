package org.example;

import org.example.till.Till;

public class Shop<T> extends Till implements Priced {
    public Shop(int limit) { super(limit); }

    @Override
    public int price(int rate) throws Exception { return checkout(rate); }

    int checkout(int rate) { return rate; }

    interface Line { void close(); }
}
