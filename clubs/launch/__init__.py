"""What the command `klaverclub` needs before and around Django: its words, its folder, its port."""
