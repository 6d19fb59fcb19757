"""What goes over HTTP. The front end's types are generated from these."""
