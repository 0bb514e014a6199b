"""One small program for each contestant: the same three tools behind `lambda_handler(event, context)`."""
