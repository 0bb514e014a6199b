"""The rooms: one folder is one Lambda function."""
