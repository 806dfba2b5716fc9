/** The domain of which a zone has the records: its name without the subdomain. Pure. */
export const getZoneDomain = (name: string, subdomain: string | null): string =>
  subdomain ? name.slice(subdomain.length + 1) : name;
