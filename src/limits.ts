/** Limits that several files share, or that a test changes. A limit used by one file is a constant in that file. */
export const limits = {
  http: {
    /** Maximum bytes of a request body without attachments (GraphQL and MCP). */
    jsonBody: 4 * 1024 * 1024,
    /** Maximum bytes of a form on Atrium's own pages. */
    formBody: 16 * 1024,
    /** Minimum bytes of a request body that is parsed in a worker thread. */
    largeBody: 256 * 1024,
    /** Maximum bytes of a body from an unauthenticated sender. */
    strangerBody: 1024 * 1024,
    /** Maximum values in a large JSON body. */
    values: 500_000,
    /** Number of keys above which an object becomes a hash table, which takes ten times as long to read and copy. */
    objectKeys: 1_000,
    /**
     * Maximum total number of keys by which the objects in a body may exceed `objectKeys`. A pass over this many keys
     * takes 3 ms.
     */
    extraKeys: 10_000,
    /** Milliseconds before the speed of a body is checked. */
    bodyGrace: 10_000,
    /**
     * Maximum bytes of one JSON response from PostgreSQL. PostgreSQL can write 1 GB, but a JavaScript string can
     * contain only half of that.
     */
    answerBytes: 64 * 1024 * 1024,
    /** Minimum bytes of a response that counts toward the memory limits for slow clients. */
    largeResponse: 64 * 1024,
    /** Maximum total bytes of large responses that wait for slow clients, per workspace and process. */
    answersOfOne: 128 * 1024 * 1024,
    /** Seconds a browser may cache a CORS preflight response. */
    preflightTime: 7_200,
    /** Milliseconds that running requests have to finish when the process stops. */
    drainTime: 15_000,
  },
  /** Files uploaded before the record they belong to is written. */
  upload: {
    /** Maximum bytes of a file. In base64, a file of this size also fits into a call of an RPC client. */
    fileBytes: 100_000_000,
    /** Maximum bytes of files that one write stores in record fields, where they are part of the row. */
    fieldBytes: 20_000_000,
  },
  call: {
    /** Milliseconds that all requests' loops may use in one event loop iteration before they yield. */
    slice: 10,
    /** Maximum nesting levels in the arguments of a call by name. */
    depth: 100,
    /** Maximum characters of an idempotency key. */
    idempotencyKey: 256,
    /** Hours during which a call with the same idempotency key returns the same response. */
    idempotencyHours: 24,
    /** Retention period of the audit trail in days. */
    auditDays: 90,
    /** Minimum age in milliseconds at which an entry of the audit trail or the tool log is added to the hash chain. */
    sealAfter: 60_000,
  },
  invitation: {
    /** Maximum characters of a name. */
    name: 200,
  },
  identity: {
    /** Maximum entries in each cache of callers, workspaces and catalogs, per process. */
    entries: 10_000,
    /** Lifetime of a session in days. */
    sessionDays: 14,
    /** Milliseconds of the first cooldown for a user and address. Each further failure doubles it. */
    loginPause: 10_000,
    /** Maximum milliseconds of a cooldown for a user and address. */
    maxLoginPause: 900_000,
    /** Failed sign-ins from one address, for any users of a workspace, before a cooldown. */
    sourceFailures: 50,
    /**
     * Failed sign-ins from an IPv6 /48 before a cooldown. A /48 has 65,536 addresses, because each /64 counts as one.
     */
    siteFailures: 200,
    /** Additional response delay in milliseconds per further failure of a user. */
    userDelay: 100,
    /** Milliseconds without a failure after which failures are forgotten. */
    failureTime: 3_600_000,
    /** Milliseconds of response delay after many invalid keys from one address. */
    keyDelay: 1_000,
  },
  oauth: {
    /** Seconds within which a person must sign in and decide. */
    decisionSeconds: 900,
    /** Lifetime of a user's consent in seconds. Afterwards, the client must ask again. */
    consentSeconds: 365 * 86_400,
    /** Retention period of a registered client without a consent, in seconds. */
    unusedSeconds: 86_400,
  },
  sql: {
    /** Timeout in milliseconds of a read that a client waits for. */
    readTime: 10_000,
    /** Maximum milliseconds that a request waits for a connection. */
    connectTime: 10_000,
    /** Maximum statements and transactions that wait for a connection, per workspace and process. */
    waiting: 1_000,
    /** Maximum kilobytes of a connection's temporary files. */
    temporaryFiles: 1024 * 1024,
    /** Maximum rows per statement if many rows are changed or deleted in batches. */
    batchRows: 5_000,
    /** Maximum rows per statement if one call creates many rows. */
    sliceRows: 2_000,
    /** Maximum total characters of the values in a statement that creates many rows. */
    sliceBytes: 4 * 1024 * 1024,
    /** Maximum prepared statements per process. */
    prepared: 400,
    /** Maximum characters of a prepared statement. */
    preparedLength: 8_192,
  },
  rpc: {
    /** Maximum bytes of a request body. A body of this size can contain a 96 MB file in base64. */
    body: 128 * 1024 * 1024,
  },
  graphql: {
    /** Maximum rows per list in the typed graph. */
    page: 500,
    /** Default rows per list in the typed graph. */
    pageDefault: 80,
    /** Maximum total conditions in a request's large domains. The last domain may exceed the limit. */
    conditions: 5_000,
    /** Maximum total records in a request's nested lists. */
    rows: 50_000,
    /** Maximum records that one mutation of the typed graph creates, changes or deletes. */
    writes: 500,
  },
  live: {
    /** Retention period of changes for subscribers that reconnect, in minutes. */
    keepMinutes: 60,
    /** Minimum milliseconds between two reload instructions to a group. */
    resyncPause: 5_000,
    /** Maximum milliseconds that a new stream waits for older transactions. */
    startWait: 2_000,
  },
  mcp: {
    /** Maximum records in one response. */
    rows: 500,
    /** Maximum characters of a tool's result: about 20,000 tokens, which common clients show in full. */
    answerChars: 80_000,
    /** Maximum records that an agent may update without a confirmation. */
    unconfirmed: 100,
    /** Maximum values per completion, as specified by the protocol. */
    completions: 100,
    /** Maximum models that one call lists. */
    models: 500,
  },
  agent: {
    /** Default calls per minute of an agent. */
    callsPerMinute: 3_000,
    /** Highest daily budget, and highest number of calls per minute, that can be configured. */
    budget: 1_000_000_000,
    /** Maximum stored characters of a client's name. */
    clientName: 100,
    /** Maximum displayed characters of an action that needs a person's approval. A longer action fails. */
    pendingActionChars: 100_000,
  },
  domain: {
    /** Maximum conditions in one domain. */
    conditions: 1_000,
    /** Maximum estimated cost of comparing a row with a caller's domain (`src/engine/domain/cost.ts`). */
    cost: 2_000,
    /** Maximum characters of a pattern. PostgreSQL cannot be interrupted while it matches a single string. */
    pattern: 500,
    /** Maximum nesting depth of a domain. */
    depth: 60,
    /** Maximum values in one `in` list, ids in one call, and records in one create. */
    values: 100_000,
  },
  record: {
    /** Maximum fields in one path of an `order` or a grouping. */
    pathSteps: 8,
    /** Maximum groups in one response. Each one has names, labels and conditions. */
    groups: 50_000,
    /** Maximum bytes of the strings and lists of all groups in one response. */
    groupBytes: 16 * 1024 * 1024,
    /** Maximum nesting levels of a web_read specification. */
    specificationDepth: 10,
    /** Maximum fields in a web_read specification. */
    specificationFields: 1_000,
    /** Maximum levels in the full name of a tag: the tag and its ancestors. */
    pathLevels: 50,
    /** Maximum bytes that defaults in the context (`default_x`) add to the records of one create. */
    defaultBytes: 64 * 1024 * 1024,
    /** Maximum cached single-record statements per caller. */
    keptStatements: 100,
    /** Minutes within which record changes can be undone. */
    undoMinutes: 60,
  },
  rest: {
    /** Highest page number of any list. */
    pages: 1_000_000,
  },
  email: {
    /** Maximum emails in one request. */
    batch: 100,
    /** Maximum recipients per email. */
    recipients: 50,
    /** Maximum characters of a subject. */
    subject: 998,
    /**
     * Maximum total bytes of an email's HTML, text and decoded attachments. SES accepts messages of 40 MB, base64 adds
     * a third, and the headers are small.
     */
    bytes: 28 * 1024 * 1024,
    /** Characters of HTML generated for contacts after which the emails are stored before more are generated. */
    madeAtOnce: 8 * 1024 * 1024,
    /** Maximum attachments per email. */
    attachments: 10,
    /** Maximum total bytes of an email's attachments, before encoding. */
    attachmentBytes: 25 * 1024 * 1024,
    /** Total timeout in milliseconds of all fetches for one request. */
    fetchTime: 15_000,
    /** Maximum characters of an attachment's file name. */
    filename: 255,
    /** Maximum emails per page of a list. */
    page: 50,
  },
  mail: {
    /** Maximum bytes of a raw message: 25 MB of files in base64, plus the other parts of the message. */
    messageBytes: 40 * 1024 * 1024,
    /** Maximum messages of a thread that can still be merged into another thread. */
    mergedMessages: 5_000,
    /** Maximum rows per page of a list of messages. */
    rows: 200,
    /** Maximum characters of a message's text that searches and rules examine. */
    searchedText: 100_000,
    /** Maximum mailboxes per search. */
    searchMailboxes: 50,
    /** Maximum messages that one call changes. */
    changed: 1_000,
    /** Maximum characters of a label's name. */
    labelName: 40,
    /** Maximum blocked senders in a list. */
    listedBlocks: 500,
    /** Maximum characters of a mailbox's display name. */
    senderName: 100,
    /** Cost of a message's text in a GraphQL document. Most fields cost 1. */
    textCost: 500,
    /** Maximum bytes of HTML in one response. */
    responseHtmlBytes: 4 * 1024 * 1024,
    /** Maximum displayed messages of a conversation. */
    threadMessages: 100,
    /** Maximum messages of a conversation that are read as plain text. */
    plainMessages: 50,
    /** Maximum characters of a plain-text body in a conversation. */
    plainEach: 4_000,
    /** Maximum total characters of the plain-text bodies of a conversation. */
    plainAll: 20_000,
    /** Maximum messages in one import. */
    imported: 50,
    /** Maximum bytes per imported message. */
    importedBytes: 25 * 1024 * 1024,
    /** Maximum bytes of all messages in one import. */
    importBytes: 40 * 1024 * 1024,
    /** Maximum messages that one call imports from another mail server. */
    imapBatch: 40,
    /** Maximum characters of a folder path on another mail server. */
    imapPath: 1_000,
    /** Maximum characters of a sent message's subject. */
    subject: 998,
    /** Maximum characters of a sent message's text, of its HTML, and of the text returned when a message is read. */
    body: 524_288,
    /** Maximum bytes of all attachments of a sent or staged message. */
    attachmentBytes: 25 * 1024 * 1024,
    /** Maximum rules of a mailbox. */
    rules: 50,
  },
  mx: {
    /** Maximum recipients per transaction. */
    recipients: 100,
    /** Timeout in milliseconds of the DNS queries that check one message. */
    dnsTime: 5_000,
  },
  template: {
    /** Maximum variables and comments in one text. */
    tags: 20_000,
  },
  picture: {
    /** Maximum bytes read from the start of an image to find its dimensions. */
    head: 256 * 1024,
    /** Maximum images whose dimensions a process caches. */
    heads: 20_000,
  },
  site: {
    /** Maximum nesting levels of elements, and of an expression's parts. */
    depth: 60,
    /** Maximum nesting levels of template calls. */
    calls: 10,
    /** Maximum characters of a rendered page, including text rendered into values. */
    output: 2 * 1024 * 1024,
    /** Maximum rendered pages that a process caches. */
    entries: 10_000,
    /** Milliseconds for which a rendered page stays cached if an invalidation is lost. */
    age: 60_000,
    /** Maximum characters of the name of a page or menu item. */
    name: 255,
    /** Maximum pages of a website, including shared pages. */
    pages: 5_000,
  },
  submission: {
    /** Maximum bytes per message. */
    message: 28 * 1024 * 1024,
    /** Maximum sessions per process. */
    clients: 500,
    /** Maximum unauthenticated sessions from one address. */
    strangersOfOne: 50,
    /** Milliseconds within which a session must authenticate. */
    signInTime: 60_000,
  },
  sns: {
    /** Maximum bytes of a body. A message has at most 256 kB, but grows when it is encoded as JSON within JSON. */
    body: 1024 * 1024,
  },
  provider: {
    /** Days within which a duplicate event is recognized. */
    eventDays: 14,
  },
  sendingDomain: {
    /** Maximum new unverified domains checked in one run. */
    checkedYoung: 30,
    /** Maximum older unverified domains checked in one run. */
    checkedOld: 10,
    /** Maximum verified domains checked in one run. */
    checkedVerified: 20,
  },
  webhook: {
    /** Maximum webhooks that a process calls concurrently. */
    atOnce: 100,
    /** Maximum concurrent calls to one webhook. */
    callsAtOnceOfWebhook: 40,
  },
  contact: {
    /** Maximum characters of a name. */
    name: 255,
    /** Maximum contacts per page. */
    page: 5_000,
    /** Maximum contacts in one bulk request. */
    bulk: 1_000,
  },
  helpdesk: {
    /** Maximum characters of a subject. */
    subject: 500,
    /** Maximum characters of a reply on a ticket's page, and of a rating's comment. */
    pageAnswer: 10_000,
  },
  calendar: {
    /**
     * Events initially created for a recurrence, as expected by clients of this API. Half as many are added over time.
     */
    occurrences: 720,
    /** Maximum attendees of an event. */
    attendees: 200,
    /** Maximum total occurrences of the recurrences in an imported file. */
    importOccurrences: 10_000,
  },
} as const;
