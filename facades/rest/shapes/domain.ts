import { z } from '@hono/zod-openapi';

const text = z.string();
const instant = z.string().openapi({ format: 'date-time' });

const STATES = ['NOT_STARTED', 'PENDING', 'SUCCESS', 'FAILED', 'TEMPORARY_FAILURE'] as const;

const DnsRecord = z
  .object({
    type: z.enum(['MX', 'TXT', 'CNAME']).describe('Record type.'),
    name: text.describe('Record name, relative to the domain.'),
    value: text.describe('Record value to publish.'),
    ttl: text.describe('Time to live. Always `Auto`.'),
    priority: text.optional().describe('Priority of an MX record.'),
    status: z.enum(STATES).describe('Status of the record. FAILED if it is published with another value.'),
    recommended: z.boolean().optional().describe('True if the record is not required for verification.'),
  })
  .openapi('DnsRecord', { description: 'A DNS record to publish for a sending domain.' });

export const DomainBody = z
  .object({
    id: z.int().describe('Unique identifier of the domain.'),
    name: text.describe('Domain name.'),
    teamId: z.int().describe('Identifier of the Team that owns the domain.'),
    status: z.enum(STATES).describe('Verification status. Emails can be sent once it is SUCCESS.'),
    region: text.describe('Provider region the domain sends from.'),
    clickTracking: z.boolean().describe('Whether clicks on links are tracked.'),
    openTracking: z.boolean().describe('Whether opens are tracked.'),
    publicKey: text.describe('DKIM public key.'),
    dkimSelector: text.nullable().describe('Selector in the name of the DKIM record.'),
    dkimStatus: text.nullable().describe('DKIM status reported by the provider.'),
    spfDetails: text.nullable().describe('Status of the custom MAIL FROM domain, reported by the provider.'),
    dmarcAdded: z.boolean().describe('Whether a DMARC record was found.'),
    errorMessage: text.nullable().describe('Last verification error.'),
    subdomain: text.nullable().describe('Not used. Present for compatibility.'),
    sesTenantId: text.nullable().describe('Not used. Always null.'),
    isVerifying: z.boolean().describe('Whether verification is in progress.'),
    verificationError: text.nullable().describe('Same as `errorMessage`.'),
    lastCheckedTime: instant.nullable().describe('When verification was last checked.'),
    createdAt: instant.describe('When the domain was added.'),
    updatedAt: instant.describe('When the domain was last changed.'),
    dnsRecords: z.array(DnsRecord).describe('DNS records to publish.'),
  })
  .openapi('Domain', { description: 'A domain that emails are sent from.' });

export const NewDomain = z
  .object({
    name: text.openapi({ example: 'example.com', description: 'Domain name.' }),
    region: text.openapi({
      description: 'Provider region this installation sends from.',
      example: 'eu-west-1',
    }),
  })
  .openapi('NewDomain', { description: 'A sending domain to add.' });

export const VerificationMessage = z
  .object({ message: text.describe('Result to show to a person.') })
  .openapi('Message', { description: 'A result in words.' });

export const DeletedDomain = z
  .object({
    id: z.int().describe('Identifier of the deleted domain.'),
    success: z.literal(true).describe('Always true.'),
    message: text.describe('Confirmation to show to a person.'),
  })
  .openapi('DeletedDomain', { description: 'Confirms that a domain was deleted.' });
