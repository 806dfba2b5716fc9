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
  preparedLength: 8_192,
  preparedAfter: 3,
  /** Names of tables and columns that are kept in their quoted form. */
  sqlNames: 5_000,
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
  /** Fields in one path of an `order` or a grouping. */
  pathSteps: 8,
  /** Answers about the fields of models that are kept, by workspace. */
  fieldAnswers: 100,
  /** Statements for one record that are kept for a caller, and fields of one. */
  keptStatements: 100,
  keptFields: 60,
  /** Things to group by and values of groups, in one question. */
  groupings: 20,
  /** Groups of one answer: each is told with its names, labels and conditions. */
  groups: 50_000,
  propertyDefinitions: 100,
  aggregates: 100,
  /** Levels of a specification of web_read, and the fields it names. */
  specificationDepth: 10,
  specificationFields: 1_000,
  /** HTML that is made safe: bytes, characters `<`, levels. Its parser works on one text at a time, and on no request besides. */
  htmlBytes: 2 * 1024 * 1024,
  htmlTags: 100_000,
  htmlDepth: 2_000,
  /** Values in one `in` list, ids of one call, records of one create. */
  domainValues: 100_000,
  /** Records times contacts of one call that adds followers. */
  newFollowers: 100_000,

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
  /** Pages of any list. */
  pages: 1_000_000,
  emailBatch: 100,
  emailRecipients: 50,
  emailAttachments: 10,
  emailSubject: 998,
  emailFilename: 255,
  /** SES takes 40 MB after encoding; base64 adds a third and headers some. */
  emailBytes: 28 * 1024 * 1024,
  /** Attachments of one email together, before they are encoded. */
  emailAttachmentBytes: 25 * 1024 * 1024,
  /** Characters of HTML that a text part is made of. */
  textFromHtml: 1024 * 1024,
  /** Variables of one send; tags, and characters of a tag's name and of its text; bytes of the metadata as JSON. */
  emailVariables: 500,
  emailTags: 50,
  emailTagName: 100,
  emailTagText: 500,
  emailMetadata: 16 * 1024,
  /** Headers of its own, and bytes of their names and values together. */
  emailHeaders: 100,
  emailHeaderBytes: 64 * 1024,
  /** Emails between two marks of a list, sorts of lists a process keeps marks of, and for how long it believes them. */
  emailMarkEvery: 1_000,
  emailMarkedLists: 200,
  emailMarkTime: 15 * 60_000,
  emailMarkPause: 60_000,
  /** Bodies taken away in one statement. */
  emailBodyBatch: 2_000,

  /** Templates: characters of a name, bytes of HTML and text; characters and templates a process keeps ready. */
  templateName: 255,
  templateBytes: 2 * 1024 * 1024,
  templateCache: 32 * 1024 * 1024,
  templateEntries: 2_000,
  /** Of the source of a message that the outbox shows. */
  outboxSource: 64 * 1024,
  idempotencyKey: 256,
  idempotencyHours: 24,

  /** Delivery. */
  leaseTime: 60_000,
  claimPerWorkspace: 50,
  /** Emails handed to the provider at the same time by one process. */
  sendsAtOnce: 64,
  /** The same with a provider whose rate needs more, for it answers slowly; the SES client has as many connections. */
  sendsAtOnceMost: 256,
  /** An email that could not be sent for this long is failed. */
  queueHours: 72,

  /** SMTP submission. Bytes of a message, and of all that a process reads at one time; of the copies of one that hides its recipients from each other. */
  submissionMessage: 28 * 1024 * 1024,
  submissionBytes: 128 * 1024 * 1024,
  submissionCopies: 64 * 1024 * 1024,
  /** Sessions of a process, and how long one may say nothing. */
  submissionClients: 500,
  submissionPause: 60_000,

  /** Notices of the provider. A body as SNS posts it: its messages have at most 256 kB, and JSON in JSON grows. */
  snsBody: 1024 * 1024,
  /** Certificates of SNS that are known at one time, the pause after one could not be fetched, and the time of a fetch. */
  snsCertificates: 20,
  snsCertificatePause: 10_000,
  snsTime: 10_000,
  /** Notices written in one transaction. */
  providerEventBatch: 200,
  /** Days a notice is known again when it comes twice, and days it waits for its email. */
  providerEventDays: 14,
  providerWaitDays: 3,

  /** Suppression list: addresses added in one call, rows of a page and of an export. */
  suppressionBatch: 1_000,
  suppressionPage: 100,
  suppressionExport: 100_000,

  /** Webhooks of a workspace; those a process calls at one time, in all and of one workspace; how long a call may take. */
  webhooks: 50,
  webhooksAtOnce: 100,
  webhooksOfOne: 10,
  webhookTime: 10_000,
  webhookLease: 60_000,
  /** Attempts of a call; the first pause, which doubles each time. */
  webhookAttempts: 6,
  webhookPause: 5_000,
  /** Calls failed for good, one after another, until a webhook is switched off. */
  webhookFailures: 30,
  /** Characters kept of an answer. */
  webhookAnswer: 4_096,
  webhookUrl: 2_048,
  /** Hours the former secret signs along; days a call waits, and days calls are kept. */
  webhookSecretHours: 24,
  webhookWaitDays: 3,
  webhookCallDays: 30,
  webhookPage: 100,

  /** Contacts. Characters of a name, of a property and of a property's name; properties of one contact. */
  contactName: 255,
  contactProperty: 10_000,
  contactPropertyName: 100,
  contactProperties: 200,
  /** Contacts of one page, and of one request that adds or deletes many. */
  contactPage: 5_000,
  contactBulk: 1_000,
  /** A CSV file of contacts: bytes, rows, bytes of one row, and the errors that are told of it. */
  contactFile: 256 * 1024 * 1024,
  contactRows: 200_000,
  contactRow: 64 * 1024,
  contactErrors: 1_000,
  /** How long somebody may take to confirm a subscription. */
  confirmTime: 7 * 24 * 3_600_000,

  /** Campaigns. A page of them; contacts of a batch; emails made in one transaction. */
  /** A campaign for a time that is further past is refused. */
  campaignPast: 5 * 60_000,
  campaignPage: 30,
  campaignBatch: 100_000,
  campaignChunk: 500,
  /** Mail of a workspace's campaigns that may wait to be sent before more is made. */
  campaignAhead: 50_000,
  /** Blocks in one text of the editor, and how deep they lie in each other. */
  blocks: 10_000,
  blockDepth: 50,

  /** Sending domains asked about in one run, and the time between two questions: while young, when old, once verified. */
  domainChecks: 30,
  domainYoung: 72 * 3_600_000,
  domainCheckYoung: 50_000,
  domainCheckOld: 3_600_000,
  domainCheckVerified: 6 * 3_600_000,

  /** Rows of one statement, where many are cancelled, failed or taken away. */
  pieceRows: 5_000,
  /** Days. */
  auditDays: 90,
  sessionDays: 14,

  /** Failed sign-ins from one address before a pause, and the pause. */
  loginFailures: 5,
  loginPause: 60_000,
} as const;
