/** Every limit of the platform, named. Sizes in bytes, times in milliseconds, unless the name says otherwise. */
export const limits = {
  /** A request body of a door that carries no attachments (GraphQL, MCP). */
  jsonBody: 4 * 1024 * 1024,
  /** A request body of the email REST API: the attachments are base64 in JSON. */
  restBody: 40 * 1024 * 1024,
  /** A request body of the JSON API and of classic RPC. */
  rpcBody: 128 * 1024 * 1024,
  /** A form of our own pages. */
  formBody: 16 * 1024,
  /** A statement of a request. */
  statementTime: 30_000,
  /** Requests that are still running when the process is told to stop. */
  drainTime: 15_000,

  /** GraphQL documents. */
  graphqlDepth: 12,
  graphqlAliases: 30,
  graphqlCost: 5_000,
  graphqlTokens: 2_000,
  /** Rows of one list of the typed graph. */
  graphPage: 500,
  graphPageDefault: 80,
  /** Records in all nested lists of one request. */
  graphRows: 50_000,
  /** Characters of a GraphQL document. */
  graphqlDocument: 100_000,
  /** Documents of which parsing and validation are kept. */
  graphqlDocuments: 500,

  /** Conditions in one domain, and its nesting. */
  domainConditions: 1_000,
  domainDepth: 60,
  /** Terms of one `order`; each may look into another table. */
  orderTerms: 20,
  /** Values in one `in` list, ids of one call, records of one create. */
  domainValues: 100_000,

  /** MCP. Contract, "Limits". */
  mcpRows: 500,
  mcpRowsDefault: 50,
  mcpBatch: 50,
  mcpModels: 500,

  /** Email REST API. */
  emailPage: 50,
  emailBatch: 100,
  emailRecipients: 50,
  emailAttachments: 10,
  emailSubject: 998,
  emailFilename: 255,
  /** SES takes 40 MB after encoding; base64 adds a third and headers some. */
  emailBytes: 28 * 1024 * 1024,
  idempotencyKey: 256,
  idempotencyHours: 24,

  /** Delivery. */
  leaseTime: 60_000,
  claimPerWorkspace: 25,
  /** Emails handed to the provider at the same time by one process. */
  sendsAtOnce: 32,
  /** An email that could not be sent for this long is failed. */
  queueHours: 72,

  /** Days. */
  auditDays: 90,
  sessionDays: 14,

  /** Callers known from memory: how long at most, and how many. */
  identityAge: 30_000,
  identities: 10_000,

  /** Failed sign-ins from one address before a pause, and the pause. */
  loginFailures: 5,
  loginPause: 60_000,
} as const;
