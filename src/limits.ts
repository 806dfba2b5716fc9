/**
 * Limits that several files share, or that a test changes. A limit that only one file uses is a constant in that file.
 */
export const limits = {
  /** Requests and responses of all facades. */
  http: {
    /** Maximum bytes of a request body without attachments (GraphQL and MCP). */
    jsonBody: 4 * 1024 * 1024,
    /** Maximum bytes of a form on our own pages. */
    formBody: 16 * 1024,
    /** Minimum bytes of a large request body, which is parsed in a worker thread. */
    largeBody: 256 * 1024,
    /** Maximum bytes of a body from an unauthenticated sender. */
    strangerBody: 1024 * 1024,
    /** Maximum number of values in a large JSON body. */
    values: 500_000,
    /** Milliseconds before the speed of a body is checked. */
    bodyGrace: 10_000,
    /**
     * Maximum bytes of one JSON response from PostgreSQL. PostgreSQL can write 1 GB, but a JavaScript string can
     * contain only half of that.
     */
    answerBytes: 64 * 1024 * 1024,
    /** Minimum bytes of a large response. */
    largeResponse: 64 * 1024,
    /** Maximum total bytes of large responses that wait for slow clients, per workspace and process. */
    answersOfOne: 128 * 1024 * 1024,
    /** Seconds a browser may cache a CORS preflight response. */
    preflightTime: 7_200,
    /** Milliseconds for running requests to finish when the process stops. */
    drainTime: 15_000,
  },
  /** Files that are uploaded before the record they belong to is written. */
  upload: {
    /** Maximum bytes of a file. A file of this size in base64 also fits into a call of an RPC client. */
    fileBytes: 100_000_000,
    /** Maximum bytes of files that one change stores in record fields, where they are part of the row. */
    fieldBytes: 20_000_000,
  },
  /** Calls of operations through any facade. */
  call: {
    /** Milliseconds that the loops of all requests may use in one iteration of the event loop before they yield. */
    slice: 10,
    /** Maximum nesting levels in the arguments of a call by name. */
    depth: 100,
    /** Maximum bytes that each request of a shared statement writes. */
    sharedBytes: 64 * 1024,
    /** Maximum characters of an idempotency key. */
    idempotencyKey: 256,
    /** Hours during which a call with the same idempotency key returns the same response. */
    idempotencyHours: 24,
    /** Retention of the audit trail, in days. */
    auditDays: 90,
    /** Minimum age in milliseconds before a line of the audit trail or the tool log is added to the hash chain. */
    sealAfter: 60_000,
  },
  /** Invitations of users by email. */
  invitation: {
    /** Maximum characters of a name. */
    name: 200,
  },
  /** Authentication and sign-in. */
  identity: {
    /** Maximum number of entries in each cache of callers, workspaces and catalogs of a process. */
    entries: 10_000,
    /** Lifetime of a session in days. */
    sessionDays: 14,
    /** Duration of the first cooldown of a user and address, in milliseconds. Each further failure doubles it. */
    loginPause: 10_000,
    /** Maximum duration of such a cooldown, in milliseconds. */
    maxLoginPause: 900_000,
    /** Failed sign-ins from one address, for any users of a workspace, before a cooldown. */
    sourceFailures: 50,
    /**
     * Failed sign-ins from an IPv6 /48 before a cooldown. A /48 has 65,536 addresses, because each /64 counts as one.
     */
    siteFailures: 200,
    /** Milliseconds by which each further failure of a user increases the delay of responses. */
    userDelay: 100,
    /** Milliseconds without a failure after which failures are forgotten. */
    failureTime: 3_600_000,
    /** Delay of responses after many invalid keys from one address, in milliseconds. */
    keyDelay: 1_000,
  },
  /** Programs that sign in for a user (OAuth). */
  oauth: {
    /** Time for a person to sign in and decide, in seconds. */
    decisionSeconds: 900,
    /** Lifetime of a user's consent, in seconds. Afterwards, the client must ask again. */
    consentSeconds: 365 * 86_400,
    /** Retention of a registered client without a consent, in seconds. */
    unusedSeconds: 86_400,
  },
  /** Statements and transactions. */
  sql: {
    /** Timeout of one read that a client waits for, in milliseconds. */
    readTime: 10_000,
    /** Maximum milliseconds that a request waits for a connection. */
    connectTime: 10_000,
    /** Maximum number of statements and transactions that wait for a connection, per workspace and process. */
    waiting: 1_000,
    /** Maximum size of a connection's temporary files, in kilobytes. */
    temporaryFiles: 1024 * 1024,
    /** Maximum rows per statement if many rows are changed or deleted in batches. */
    batchRows: 5_000,
    /** Maximum rows per statement if one call creates many rows. */
    sliceRows: 2_000,
    /** Maximum characters of all values in these rows. */
    sliceBytes: 4 * 1024 * 1024,
    /** Maximum number of prepared statements of a process. */
    prepared: 400,
    /** Maximum characters of a prepared statement. */
    preparedLength: 8_192,
  },
  /** Classic RPC. */
  rpc: {
    /** Maximum bytes of a request body. A file of 96 MB fits, in base64. */
    body: 128 * 1024 * 1024,
  },
  /** GraphQL. */
  graphql: {
    /** Maximum number of rows per list in the typed graph. */
    page: 500,
    /** Default number of rows in such a list. */
    pageDefault: 80,
    /** Maximum total number of conditions in a request's large domains. The last domain may exceed the limit. */
    conditions: 5_000,
    /** Maximum total number of records in a request's nested lists. */
    rows: 50_000,
    /** Maximum number of records that one mutation of the typed graph creates, changes or deletes. */
    writes: 500,
  },
  /** Subscriptions. */
  live: {
    /** Minutes during which changes are kept for subscribers that reconnect. */
    keepMinutes: 60,
    /** Minimum milliseconds between two reload instructions to a group. */
    resyncPause: 5_000,
  },
  /** MCP. Contract, "Limits". */
  mcp: {
    /** Maximum number of records in one response. */
    rows: 500,
    /** Maximum number of characters of a tool's result: about 20,000 tokens, which common clients show in full. */
    answerChars: 80_000,
    /** Maximum number of records that an agent may update without a confirmation. */
    unconfirmed: 100,
    /** Maximum number of values per completion, as specified by the protocol. */
    completions: 100,
    /** Maximum number of models that one call lists. */
    models: 500,
  },
  /** Agents, which call the MCP server. */
  agent: {
    /** Default number of calls of an agent per minute. */
    callsPerMinute: 3_000,
    /** Highest daily budget, and highest number of calls per minute, that can be configured. */
    budget: 1_000_000_000,
    /** Maximum number of stored characters of a program's name. */
    clientName: 100,
    /** Maximum number of displayed characters of a pending action. A longer action is not held. */
    pendingActionChars: 100_000,
  },
  /** Conditions on records. */
  domain: {
    /** Maximum number of conditions in one domain. */
    conditions: 1_000,
    /** Maximum estimated cost of comparing a row with a caller's domain (`src/engine/domain/cost.ts`). */
    cost: 2_000,
    /** Maximum characters of a pattern. PostgreSQL cannot be interrupted while it matches one text. */
    pattern: 500,
    /** Maximum nesting depth of a domain. */
    depth: 60,
    /** Maximum number of values in one `in` list, of ids in one call, and of records in one create. */
    values: 100_000,
  },
  /** Reading and writing records. */
  record: {
    /** Maximum number of fields in one path of an `order` or a grouping. */
    pathSteps: 8,
    /** Maximum number of groups in one response. Each has names, labels and conditions. */
    groups: 50_000,
    /** Maximum bytes of the strings and lists of all groups in one response. */
    groupBytes: 16 * 1024 * 1024,
    /** Maximum nesting levels of a web_read specification. */
    specificationDepth: 10,
    /** Maximum number of fields in a web_read specification. */
    specificationFields: 1_000,
    /** Maximum number of levels in the full name of a tag: the tag and its ancestors. */
    pathLevels: 50,
    /** Maximum bytes that defaults in the context (`default_x`) add to the records of one create. */
    defaultBytes: 64 * 1024 * 1024,
    /** Maximum number of cached single-record statements per caller. */
    keptStatements: 100,
    /** Minutes within which record changes can be undone. */
    undoMinutes: 60,
  },
  /** The email REST API. */
  rest: {
    /** Highest page number of any list. */
    pages: 1_000_000,
  },
  /** Emails. */
  email: {
    /** Maximum number of emails in one request. */
    batch: 100,
    /** Maximum number of recipients per email. */
    recipients: 50,
    /** Maximum characters of a subject. */
    subject: 998,
    /**
     * Maximum total bytes of an email's HTML, text and decoded attachments. SES accepts messages of 40 MB. Base64 adds
     * a third, and headers a little.
     */
    bytes: 28 * 1024 * 1024,
    /** Characters of generated HTML after which emails for contacts are stored before more are generated. */
    madeAtOnce: 8 * 1024 * 1024,
    /** Maximum number of attachments per email. */
    attachments: 10,
    /** Maximum total bytes of an email's attachments, before encoding. */
    attachmentBytes: 25 * 1024 * 1024,
    /** Total timeout of all fetches for one request, in milliseconds. */
    fetchTime: 15_000,
    /** Maximum characters of an attachment's file name. */
    filename: 255,
    /** Maximum number of emails per page of a list. */
    page: 50,
  },
  /** Mailboxes. */
  mail: {
    /** Maximum bytes of a raw message: 25 MB of files in base64, and the rest of the message. */
    messageBytes: 40 * 1024 * 1024,
    /** Maximum number of messages of a thread that can still be merged into another one. */
    mergedMessages: 5_000,
    /** Maximum rows per page of a list of messages. */
    rows: 200,
    /** Maximum characters of a message's text that searches and rules examine. */
    searchedText: 100_000,
    /** Maximum number of mailboxes per search. */
    searchMailboxes: 50,
    /** Maximum number of messages that one call changes. */
    changed: 1_000,
    /** Maximum characters of a label's name. */
    labelName: 40,
    /** Maximum number of blocked senders that are listed. */
    listedBlocks: 500,
    /** Maximum characters of a mailbox's display name. */
    senderName: 100,
    /** Cost of a message's text within a document, in values. */
    textCost: 500,
    /** Maximum bytes of HTML in one response. */
    responseHtmlBytes: 4 * 1024 * 1024,
    /** Maximum number of displayed messages of a conversation. */
    threadMessages: 100,
    /** Maximum number of messages of a conversation that are read as plain text. */
    plainMessages: 50,
    /** Maximum characters of each of these plain text bodies. */
    plainEach: 4_000,
    /** Maximum characters of all of these bodies together. */
    plainAll: 20_000,
    /** Maximum number of messages in one import. */
    imported: 50,
    /** Maximum bytes per imported message. */
    importedBytes: 25 * 1024 * 1024,
    /** Maximum bytes of all messages in one import. */
    importBytes: 40 * 1024 * 1024,
    /** Maximum number of messages that one call imports from another mail server. */
    imapBatch: 40,
    /** Maximum characters of a folder path on another mail server. */
    imapPath: 1_000,
    /** Maximum characters of a sent message's subject. */
    subject: 998,
    /** Maximum characters of a sent message's body, as text and as HTML, and of the text of a message that is read. */
    body: 524_288,
    /** Maximum bytes of all attachments of a sent or staged message. */
    attachmentBytes: 25 * 1024 * 1024,
    /** Maximum number of rules of a mailbox. */
    rules: 50,
  },
  /** Incoming mail from other servers (SMTP). */
  mx: {
    /** Maximum number of recipients per transaction. */
    recipients: 100,
    /** Timeout of the DNS queries for checking one message, in milliseconds. */
    dnsTime: 5_000,
  },
  /** Templates. */
  template: {
    /** Maximum number of variables and comments in one text. */
    tags: 20_000,
  },
  /** Images in emails, served by this server. */
  picture: {
    /** Maximum bytes that are read from the start of an image to find its dimensions. */
    head: 256 * 1024,
    /** Maximum number of images whose dimensions a process caches. */
    heads: 20_000,
  },
  /** Websites. */
  site: {
    /** Maximum nesting levels of elements, and of parts of an expression. */
    depth: 60,
    /** Maximum nesting levels of template calls. */
    calls: 10,
    /** Maximum characters of a rendered page, including text rendered into values. */
    output: 2 * 1024 * 1024,
    /** Maximum number of rendered pages that a process caches. */
    entries: 10_000,
    /** Milliseconds during which a rendered page is cached if an invalidation is lost. */
    age: 60_000,
    /** Maximum characters of the name of a page or a menu item. */
    name: 255,
    /** Maximum number of pages of a website, including shared ones. */
    pages: 5_000,
  },
  /** SMTP submission. */
  submission: {
    /** Maximum bytes per message. */
    message: 28 * 1024 * 1024,
    /** Maximum bytes of the header of a message or of one of its parts. */
    header: 192 * 1024,
    /** Maximum number of sessions per process. */
    clients: 500,
    /** Maximum number of unauthenticated sessions from one address. */
    strangersOfOne: 50,
    /** Milliseconds within which a session must authenticate. */
    signInTime: 60_000,
  },
  /** Requests from Amazon SNS. */
  sns: {
    /** Maximum bytes of a body. A message has at most 256 kB, but grows as JSON within JSON. */
    body: 1024 * 1024,
  },
  /** Events from the email provider. */
  provider: {
    /** Days within which a duplicate event is recognized. */
    eventDays: 14,
  },
  /** Checks of sending domains. */
  sendingDomain: {
    /** Maximum number of new unverified domains checked in one run. */
    checkedYoung: 30,
    /** Maximum number of older unverified domains checked in one run. */
    checkedOld: 10,
    /** Maximum number of verified domains checked in one run. */
    checkedVerified: 20,
  },
  /** Webhooks. */
  webhook: {
    /** Maximum number of webhooks that a process calls concurrently. */
    atOnce: 100,
    /** Maximum number of concurrent calls to one webhook. */
    callsAtOnceOfWebhook: 40,
  },
  /** Contacts of the email API. */
  contact: {
    /** Maximum characters of a name. */
    name: 255,
    /** Maximum number of contacts per page. */
    page: 5_000,
    /** Maximum number of contacts in one request that adds or deletes many. */
    bulk: 1_000,
  },
  /** The helpdesk. */
  helpdesk: {
    /** Maximum characters of a subject. */
    subject: 500,
    /** Maximum characters of a reply on a ticket's page, and of a rating's comment. */
    pageAnswer: 10_000,
  },
  /** Calendars. */
  calendar: {
    /**
     * Number of initial events of a recurrence, as expected by clients of this API. Half as many are added over time.
     */
    occurrences: 720,
    /** Maximum number of attendees of an event. */
    attendees: 200,
    /** Maximum number of occurrences of all recurrences in an imported file. */
    importOccurrences: 10_000,
  },
} as const;
