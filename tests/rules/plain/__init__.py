"""The rules of each game a second time, as plainly as possible, to compare the referee with."""
