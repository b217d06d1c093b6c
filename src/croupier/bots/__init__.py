"""What the bots of several games have in common. Games import it; it knows nothing but the kernel."""
