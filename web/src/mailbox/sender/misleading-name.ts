/** Text that looks like an address. NFKC normalization converts characters that resemble `@`. */
const ADDRESS = /[^\s@<>()[\],;:"'“”]{1,64}@[^\s@<>()[\],;:"'“”]{1,255}\.[^\s@<>()[\],;:"'“”.]{2,63}/g;

export function findMisleadingAddress(name: string, email: string): string | null {
  const ownAddress = email.toLowerCase();
  const [address] = [...name.slice(0, 1_000).normalize('NFKC').matchAll(ADDRESS)]
    .map(([address]) => address)
    .filter((address) => address.toLowerCase() !== ownAddress);
  return address ?? null;
}
