"""Whether search brings back what answers, how soon, and whether hints are used."""
