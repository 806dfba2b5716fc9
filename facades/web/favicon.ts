import type { Visit } from '../../src/http/visit.ts';

/** A 32 by 32 pixel PNG in an ICO file, in base64. */
const ICON = `
AAABAAEAICAAAAEAIAAyAQAAFgAAAIlQTkcNChoKAAAADUlIRFIAAAAgAAAAIAgGAAAAc3p69AAAAPlJREFUeNpj4M6OYEDCEkDcDsSX
gfg3EP+nEv4NNbMdagfcTmTLY4D4MxUtxYU/Q+1CcUAMHSxGxzEwB0jQyefYQkKCARov/wcItzNAE8dAOeAyA6mp3WNC0/8lJw78f/Dm
1X8YALFBYiA5UnMHA7GKtepy/x+6dfU/IQBSA1JLrLkMxPqaVEBsaDAQ43NyATEhQdABuIIdJN66dQ0Y41NDkQNwBT224CVFLdEOAKVs
UgzE5giQGWQ7ADmrERuk6NEBMoNsB6ADUHwTcgBIDToYdcCoA0YdMOqAUQcQcsDvAWwT/h4UjdIBb5YPeMdkwLtmg6JzOmDdcwDX6Z6n
LMEJ7AAAAABJRU5ErkJggg==
`;

const BYTES = new Uint8Array(Buffer.from(ICON, 'base64'));

/** Browsers request this icon if a page specifies none. */
export const serveFavicon = ({ requestId }: Visit): Response =>
  new Response(BYTES, {
    headers: {
      'content-type': 'image/x-icon',
      'cache-control': 'public, max-age=86400',
      'x-content-type-options': 'nosniff',
      'x-request-id': requestId,
    },
  });
