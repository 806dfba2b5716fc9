import { z } from '@hono/zod-openapi';

const text = z.string();
const instant = z.string().openapi({ format: 'date-time' });

const DnsRecord = z
  .object({
    type: z.enum(['MX', 'TXT', 'CNAME']),
    name: text.openapi({ description: 'Relative to the domain.' }),
    value: text,
    ttl: text,
    priority: text.optional(),
    status: text,
    recommended: z.boolean().optional(),
  })
  .openapi('DnsRecord');

export const Domain = z
  .object({
    id: z.int(),
    name: text,
    teamId: z.int(),
    status: z.enum(['NOT_STARTED', 'PENDING', 'SUCCESS', 'FAILED', 'TEMPORARY_FAILURE']),
    region: text,
    clickTracking: z.boolean(),
    openTracking: z.boolean(),
    publicKey: text,
    dkimSelector: text.nullable(),
    dkimStatus: text.nullable(),
    spfDetails: text.nullable(),
    dmarcAdded: z.boolean(),
    errorMessage: text.nullable(),
    subdomain: text.nullable(),
    sesTenantId: text.nullable(),
    isVerifying: z.boolean(),
    createdAt: instant,
    updatedAt: instant,
    dnsRecords: z.array(DnsRecord),
  })
  .openapi('Domain');
