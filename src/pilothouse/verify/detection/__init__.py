"""One module per ecosystem: each looks at a folder and says which checks it finds there."""
