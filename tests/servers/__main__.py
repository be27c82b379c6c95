"""Say which servers the tests would use: `python -m tests.servers`."""

from tests.servers.finding import which_servers

if __name__ == "__main__":
    print("\n".join(which_servers()))
