/** Every limit of the platform, named. Sizes in bytes, times in milliseconds, unless the name says otherwise. */
export const limits = {
  /** A request body of a door that carries no attachments (GraphQL, MCP). */
  jsonBody: 4 * 1024 * 1024,
  /** A request body of the email REST API: the attachments are base64 in JSON. */
  restBody: 40 * 1024 * 1024,
  /** A request body of the JSON API, as in Odoo 19. */
  json2Body: 128 * 1024 * 1024,
  /** A request body of classic RPC: the contract's largest call (40 MB of messages in base64, 54 MB) fits. */
  rpcBody: 64 * 1024 * 1024,
  /** A body of classic RPC that needs no more than a login: `common`, `db` and the routes of their kind. */
  rpcSmallBody: 1024 * 1024,
  /** Bodies over this size are large; those of one process that are being read and parsed have this many bytes together. */
  largeBody: 1024 * 1024,
  largeBodies: 256 * 1024 * 1024,
  /** The JSON of one answer, as Postgres writes it; it can write 1 GB, and a string of ours holds half of that. */
  answerBytes: 64 * 1024 * 1024,
  /** Rows of one piece of an answer that is streamed; a list that asks for no more is answered at once. */
  streamedRows: 1_000,
  /** Streamed answers of a process at one time, and how long one waits for its reader. */
  cursors: 5,
  cursorPause: 20_000,
  /** Characters of a refusal: parts of it may be the caller's own. */
  messageLength: 4_000,
  /** A form of our own pages. */
  formBody: 16 * 1024,
  /** A statement of a request. */
  statementTime: 30_000,
  /** How often a transaction is tried that Postgres undoes because of others, and the longest first pause. */
  attempts: 6,
  attemptPause: 20,
  /** Requests that are still running when the process is told to stop. */
  drainTime: 15_000,

  /** What is known of a caller, without having asked the database again; and of how many. */
  identityAge: 30_000,
  identityEntries: 10_000,
  /** Keys of a user that live at one time, when it makes them itself through the record API. */
  liveKeys: 10,

  /** Statements of a process that are prepared, characters of one, and how often it is met before. */
  preparedStatements: 400,
  preparedLength: 4_096,
  preparedAfter: 3,
  /** When all are taken they are chosen anew after this long; no connection lives longer, so its plans stay bounded. */
  preparedTime: 600_000,

  /** Levels of lists and objects in the arguments of a call by name. */
  callDepth: 100,
  /** Characters of a number that comes as text. */
  numberLength: 40,

  /** Classic RPC. Levels, elements and XML attributes of a message, characters of a name, levels of a result. */
  rpcDepth: 100,
  rpcValues: 500_000,
  rpcAttributes: 1_000,
  rpcNameLength: 255,
  rpcResultDepth: 500,

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
  /** Terms of a relative date such as `today -30d`. */
  dateTerms: 20,
  /** Terms of one `order`; each may look into another table. */
  orderTerms: 20,
  /** Things to group by and values of groups, in one question. */
  groupings: 20,
  aggregates: 100,
  /** Levels of a specification of web_read, and the fields it names. */
  specificationDepth: 10,
  specificationFields: 1_000,
  /** Values in one `in` list, ids of one call, records of one create. */
  domainValues: 100_000,

  /** MCP. Contract, "Limits". */
  mcpRows: 500,
  mcpRowsDefault: 50,
  mcpBatch: 50,
  mcpModels: 500,
  /** Arrays and objects open inside each other in a message; a domain of the record API may be 60 deep. */
  mcpDepth: 100,
  /** How long a client may keep what a list or discovery answered. */
  mcpListTime: 3_600_000,

  /** Email REST API. */
  emailPage: 50,
  emailBatch: 100,
  emailRecipients: 50,
  emailAttachments: 10,
  emailSubject: 998,
  emailFilename: 255,
  /** SES takes 40 MB after encoding; base64 adds a third and headers some. */
  emailBytes: 28 * 1024 * 1024,
  /** Of the source of a message that the outbox shows. */
  outboxSource: 64 * 1024,
  idempotencyKey: 256,
  idempotencyHours: 24,

  /** Delivery. */
  leaseTime: 60_000,
  claimPerWorkspace: 25,
  /** Emails handed to the provider at the same time by one process. */
  sendsAtOnce: 32,
  /** An email that could not be sent for this long is failed. */
  queueHours: 72,
  /** An email whose answer was lost, and of which the provider reports nothing for this long, is failed. */
  unknownHours: 24,

  /** Sending domains asked about in one run, and the time between two questions: while young, when old, once verified. */
  domainChecks: 30,
  domainYoung: 72 * 3_600_000,
  domainCheckYoung: 50_000,
  domainCheckOld: 3_600_000,
  domainCheckVerified: 6 * 3_600_000,

  /** Days. */
  auditDays: 90,
  sessionDays: 14,

  /** Failed sign-ins from one address before a pause, and the pause. */
  loginFailures: 5,
  loginPause: 60_000,
} as const;
