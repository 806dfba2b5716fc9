export const getZoneDomain = (name: string, subdomain: string | null): string =>
  subdomain ? name.slice(subdomain.length + 1) : name;
