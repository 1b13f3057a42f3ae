"""Covey Studio, the web page: the whole job in the browser, on the user's own machine."""
