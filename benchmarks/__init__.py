"""Speed, start and size of samcp, beside a floor and other people's servers, measured in one run."""
