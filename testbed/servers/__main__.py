"""Say which servers the tests would use: `python -m testbed.servers`."""

from testbed.servers.finding import which_servers

if __name__ == "__main__":
    print("\n".join(which_servers()))
