import { z } from '@hono/zod-openapi';

const text = z.string();
const instant = z.string().openapi({ format: 'date-time' });

const STATES = ['NOT_STARTED', 'PENDING', 'SUCCESS', 'FAILED', 'TEMPORARY_FAILURE'] as const;

const DnsRecord = z
  .object({
    type: z.enum(['MX', 'TXT', 'CNAME']),
    name: text.openapi({ description: 'Relative to the domain.' }),
    value: text,
    ttl: text,
    priority: text.optional(),
    status: z.enum(STATES),
    recommended: z.boolean().optional(),
  })
  .openapi('DnsRecord');

export const DomainBody = z
  .object({
    id: z.int(),
    name: text,
    teamId: z.int(),
    status: z.enum(STATES),
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
    verificationError: text.nullable(),
    lastCheckedTime: instant.nullable(),
    createdAt: instant,
    updatedAt: instant,
    dnsRecords: z.array(DnsRecord),
  })
  .openapi('Domain');

export const NewDomain = z
  .object({
    name: text.openapi({ example: 'example.com' }),
    region: text.openapi({
      description: 'Region of the provider this installation sends from.',
      example: 'eu-west-1',
    }),
  })
  .openapi('NewDomain');

export const Told = z.object({ message: text }).openapi('Message');

export const DeletedDomain = z
  .object({ id: z.int(), success: z.literal(true), message: text })
  .openapi('DeletedDomain');
