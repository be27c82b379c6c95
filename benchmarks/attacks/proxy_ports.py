"""A page links and redirects to other ports of the operator's proxy, which has a private address."""

from testbed.proxy_ports import attack as attack
