/** All limits of the platform, grouped by area. */
export const limits = {
  /** Requests and responses of all facades. */
  http: {
    /** Maximum bytes of a request body without attachments (GraphQL and MCP). */
    jsonBody: 4 * 1024 * 1024,
    /** Maximum bytes of a form on our own pages. */
    formBody: 16 * 1024,
    /** Minimum bytes of a large request body, which is parsed in a worker thread. */
    largeBody: 256 * 1024,
    /** Maximum bytes of all large bodies of authenticated callers in one process. */
    largeBodies: 256 * 1024 * 1024,
    /** Maximum share of one workspace, in bytes. It is enough for the largest request. */
    largeBodiesOfOne: 128 * 1024 * 1024,
    /** Maximum bytes of a body from an unauthenticated sender. */
    strangerBody: 1024 * 1024,
    /** Maximum bytes of all such bodies in one process, except bodies within `bodyHead`. */
    strangerBodies: 16 * 1024 * 1024,
    /** Maximum bytes of a body that is not counted. A longer body must authenticate its sender within these bytes. */
    bodyHead: 16 * 1024,
    /** Maximum number of values in a large JSON body. */
    values: 500_000,
    /** Maximum nesting levels in a large JSON body. */
    depth: 200,
    /** Milliseconds before the speed of a body is checked. */
    bodyGrace: 10_000,
    /** Minimum average bytes per second after that. */
    bodyRate: 16 * 1024,
    /** Maximum number of concurrent requests of one connection. Further pipelined requests wait. */
    pipelined: 16,
    /** Timeout for reading a request of any size, in milliseconds. */
    requestTime: 900_000,
    /**
     * Milliseconds a connection stays open without a request. Must exceed the keep-alive time of proxies,
     * which is one minute (nginx) or two (Caddy): if the server closes first, a request in transit fails.
     */
    idleTime: 130_000,
    /**
     * Maximum bytes of one JSON response from PostgreSQL. It can write 1 GB, but a JavaScript string can contain only
     * half of that.
     */
    answerBytes: 64 * 1024 * 1024,
    /** Rows per chunk of a streamed response. A list that fits into one chunk is not streamed. */
    streamedRows: 1_000,
    /** Rows with files per chunk of a streamed response. */
    streamedFiles: 2,
    /** Minimum bytes of a large response. */
    largeResponse: 64 * 1024,
    /** Maximum bytes of one workspace's large responses that wait for slow clients in one process. */
    answersOfOne: 128 * 1024 * 1024,
    /** Maximum total bytes for all workspaces. */
    answers: 512 * 1024 * 1024,
    /** Minimum bytes per second that a client must read of a large response. Slower clients are disconnected. */
    leastRate: 64 * 1024,
    /** Milliseconds before `leastRate` applies. */
    readerPause: 20_000,
    /** Maximum number of concurrent streamed responses of one process. */
    cursors: 5,
    /** Maximum milliseconds that a streamed response waits for its client. */
    cursorPause: 20_000,
    /** Maximum characters of an error message, which may contain text of the caller. */
    refusalLength: 4_000,
    /** Seconds a browser may cache a CORS preflight response. */
    preflightTime: 7_200,
    /** Milliseconds for running requests to finish when the process stops. */
    drainTime: 15_000,
  },
  /** The worker thread for work that would block the event loop. */
  thread: {
    /** Maximum memory of the thread in megabytes. */
    megabytes: 1_024,
    /** Milliseconds without work after which the thread ends. */
    idleTime: 10_000,
  },
  /** Contents of files. */
  blob: {
    /** Maximum number of workspace keys cached by a process. */
    keys: 10_000,
  },
  /** Files that are uploaded before the record they belong to is written. */
  upload: {
    /** Maximum bytes of a file. A file of this size in base64 also fits into a call of an RPC client. */
    fileBytes: 100_000_000,
    /** Maximum bytes of files that one change stores in fields of records, where they are part of the row. */
    fieldBytes: 20_000_000,
    /** Maximum bytes of all such files in one process. */
    fieldRoom: 200_000_000,
    /** Maximum share of one workspace, in bytes. */
    fieldRoomOfOne: 60_000_000,
    /** Maximum characters of a file name. */
    fileName: 255,
    /** Maximum number of files of a user that no record uses yet, including uploads in progress. */
    files: 50,
    /** Maximum total bytes of these files. */
    bytes: 500_000_000,
    /** Maximum total bytes of these files for all users of a workspace. */
    workspaceBytes: 5_000_000_000,
    /** Hours after which an unused file is deleted. */
    hours: 24,
  },
  /** Calls of operations through any facade. */
  call: {
    /** Milliseconds that loops of requests may use in one iteration of the event loop before they yield. */
    slice: 10,
    /**
     * Maximum number of conditions in the arguments of a call that is not expensive. Expensive calls of a workspace
     * start one at a time.
     */
    heavyItems: 100,
    /** Maximum number of values that the conditions of such a call list. */
    heavyValues: 1_000,
    /** Maximum number of running expensive calls of one user in one process. */
    heavyAtOnce: 2,
    /** Maximum number of waiting expensive calls of one user in one process. */
    heavyWaiting: 100,
    /** Maximum nesting levels in the arguments of a call by name. */
    depth: 100,
    /** Maximum number of keys in the context of such a call. */
    contextKeys: 1_000,
    /** Maximum characters of a number in text form. */
    numberLength: 40,
    /** Maximum number of requests of a caller that share one statement. */
    together: 32,
    /** Maximum number of operations in one request that checks whether the caller may call them. */
    checkedOperations: 200,
    /** Maximum number of changelog entries that are listed. */
    releaseNotes: 200,
    /**
     * Maximum milliseconds that such a shared statement waits for another transaction before each request runs
     * separately.
     */
    sharedWait: 100,
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
  /** Apps of workspaces. */
  app: {
    /** Maximum number of rows that one step of an app's removal deletes. */
    removalStep: 500,
    /** Maximum pause between two steps, in milliseconds. */
    removalPause: 500,
    /** Maximum milliseconds that a request waits for the removal of an app. Then a worker continues. */
    removalWait: 5_000,
  },
  /** Exports and deletion of workspaces. */
  workspace: {
    /** Days during which an exported archive can be downloaded. */
    exportDays: 7,
    /** Maximum number of archives per workspace. A new archive replaces the oldest. */
    storedArchives: 3,
    /** Maximum number of exports that a workspace may start within 24 hours, including failed ones. */
    exportsPerDay: 5,
    /** Maximum bytes of all archives of a workspace. */
    exportBytes: 20 * 1024 ** 3,
    /** Lifetime of a download link, in minutes. */
    linkMinutes: 10,
    /** Default number of days between the deletion of a workspace and the removal of its data. */
    graceDays: 30,
    /** Maximum number of these days. */
    maxGraceDays: 365,
  },
  /** Invitations of users by email. */
  invitation: {
    /** Lifetime of a link, in days. */
    days: 7,
    /** Maximum number of pending invitations of a workspace. */
    waiting: 500,
    /** Maximum number of invitations of a workspace in 24 hours. */
    perDay: 200,
    /** Maximum number of emails per invitation. */
    mails: 10,
    /** Milliseconds between two of these emails. */
    pause: 60_000,
    /** Maximum number of groups, and shared mailboxes, per invitation. */
    links: 100,
    /** Maximum characters of a name. */
    name: 200,
    /** Retention of a completed or expired invitation, in days. */
    keptDays: 365,
  },
  /** Data that a user interface stores for its users. */
  ui: {
    /** Maximum number of saved views of a user. */
    views: 500,
    /** Maximum characters of a view's name. */
    viewName: 200,
    /** Maximum bytes of each of a view's conditions, order, groups and client data. */
    viewBytes: 16 * 1024,
    /** Maximum number of columns of a view. */
    columns: 100,
    /** Maximum characters of a column's path. */
    columnPath: 200,
    /** Maximum number of keys in the state of a user. */
    stateNames: 200,
    /** Maximum total bytes of the state of a user. */
    stateBytes: 32 * 1024,
  },
  /** Notifications of users about long-running work. */
  notification: {
    /** Retention of a notification, in days. */
    days: 90,
    /** Maximum characters of the title, and of the details. */
    details: 1_000,
    /** Maximum number of notifications that one call marks as read by id. */
    read: 500,
  },
  /** Search for records of any model. */
  palette: {
    /** Maximum number of models that are searched. */
    models: 12,
    /** Maximum number of records per model. */
    rows: 10,
    /** Maximum characters of the search text. */
    text: 100,
    /** Milliseconds after which models without a result are omitted. */
    time: 2_000,
  },
  /** Access overview for administrators. */
  access: {
    /** Maximum number of users or models per page. */
    rows: 50,
  },
  /** Authentication and sign-in. */
  identity: {
    /** Cache lifetime of a caller, in milliseconds. */
    age: 30_000,
    /** Milliseconds during which the rights and rules of a workspace are cached if an invalidation is lost. */
    catalogAge: 300_000,
    /** Maximum number of callers, workspaces and catalogs, each, that a process caches. */
    entries: 10_000,
    /**
     * Maximum number of sets of models that a process caches for workspaces without all apps. Workspaces with the same
     * apps share a set.
     */
    registries: 64,
    /** Maximum estimated bytes of all cached catalogs. Parts shared by workspaces count once. */
    catalogBytes: 128 * 1024 * 1024,
    /** Maximum number of concurrently valid keys that a user may create through the record API. */
    liveKeys: 10,
    /** Maximum hours for which a replaced key may stay valid. */
    rotationHours: 720,
    /** Lifetime of a session in days. */
    sessionDays: 14,
    /** Maximum number of stored characters of a browser's user agent. */
    userAgent: 300,
    /** Maximum number of sessions of a user that are listed. */
    sessionsShown: 100,
    /** Failed sign-ins of one user from one address before a cooldown. */
    loginFailures: 5,
    /** Duration of the first cooldown in milliseconds. Each further failure doubles it. */
    loginPause: 10_000,
    /** Maximum duration of a cooldown in milliseconds. */
    maxLoginPause: 900_000,
    /** Failed sign-ins from one address, for any users of a workspace, before a cooldown. */
    sourceFailures: 50,
    /** Failed sign-ins from an IPv6 /48 before a cooldown. It has 65,536 addresses, because each /64 counts as one. */
    siteFailures: 200,
    /** Duration of the first cooldown in milliseconds. Each further failure doubles it. */
    sourcePause: 1_000,
    /** Maximum duration of a cooldown in milliseconds. */
    maxSourcePause: 60_000,
    /** Failed sign-ins of one user, from any addresses, before responses are delayed. */
    userFailures: 20,
    /** Milliseconds that each further failure adds to the delay. */
    userDelay: 100,
    /** Maximum delay in milliseconds. */
    maxUserDelay: 3_000,
    /** Milliseconds without a failure after which failures are forgotten. */
    failureTime: 3_600_000,
    /**
     * Maximum number of failures of a workspace that each get an entry in the audit trail. Further failures are
     * summarized.
     */
    auditedFailures: 1_000,
    /** Invalid keys from one address before responses are delayed. */
    keyFailures: 50,
    /** Delay of these responses in milliseconds. */
    keyDelay: 1_000,
    /** Maximum number of concurrently delayed requests. */
    delayed: 1_000,
    /** Maximum number of passwords that one process hashes concurrently. */
    hashes: 2,
    /** Maximum number of passwords waiting to be hashed. */
    hashQueue: 60,
    /** Maximum share of one address. */
    hashQueueOfOne: 20,
    /** Cache lifetime of a verified password, in milliseconds. */
    passwordAge: 3_600_000,
  },
  /** Programs that sign in for a user (OAuth). */
  oauth: {
    /** Lifetime of an access token in seconds. */
    accessSeconds: 3_600,
    /** Lifetime of a refresh token in seconds. Each use returns a new token. */
    refreshSeconds: 30 * 86_400,
    /** Lifetime of a user's consent, in seconds. Afterwards, the program must ask again. */
    consentSeconds: 365 * 86_400,
    /** Seconds within which an authorization code can be redeemed. */
    codeSeconds: 60,
    /** Time for a person to sign in and decide, in seconds. */
    decisionSeconds: 900,
    /** Retention of a registered client without a consent, in seconds. */
    unusedSeconds: 86_400,
    /** Maximum number of registered clients of one workspace without a consent. A new client replaces an old one. */
    unusedClients: 1_000,
    /** Cache lifetime of a token, in milliseconds. */
    tokenAge: 5_000,
    /** Maximum number of client registrations from one address in one workspace, per hour and process. */
    registrations: 100,
    /** Maximum number of sign-ins that programs start from one address in one workspace, per minute and process. */
    authorizations: 30,
    /** Maximum bytes of a request that starts a sign-in. */
    authorizationBytes: 4 * 1024,
    /**
     * Maximum number of other requests from one address to the authorization server of one workspace, per minute and
     * process.
     */
    requests: 300,
    /** Maximum number of authorization servers of workspaces that a process caches. */
    servers: 200,
    /** Maximum bytes of a client metadata document. */
    documentBytes: 5 * 1024,
    /** Timeout for fetching that document, in milliseconds. */
    documentTime: 2_500,
    /** Milliseconds before such a document is fetched again, regardless of the result. */
    documentPause: 30_000,
    /** Maximum number of such documents that a process caches for that time. */
    documents: 1_000,
    /** Maximum number of displayed characters of a client's name. */
    clientName: 100,
    /** Maximum number of redirect URIs of a client. */
    redirects: 20,
    /** Maximum characters of a client's URL or id, and of a redirect URI. */
    address: 2_000,
    /** Maximum number of agents listed on a user's page. */
    listed: 100,
  },
  /** Statements and transactions. */
  sql: {
    /** Timeout of one statement of a request, in milliseconds. */
    statementTime: 30_000,
    /** Timeout of one read that a client waits for, in milliseconds. */
    readTime: 10_000,
    /** Maximum milliseconds that a transaction may be idle. */
    idleInTransaction: 60_000,
    /** Milliseconds between two checks that notifications arrive. After two failed checks nothing is cached. */
    echoPause: 5_000,
    /** Maximum milliseconds that a request waits for a connection. */
    connectTime: 10_000,
    /** Number of connections of a process that are reserved for the platform's own work. */
    reserved: 4,
    /** Maximum connections of a process, in addition to its pool, that reserve ids for new rows. */
    idConnections: 3,
    /** Timeout of a statement that reserves ids, in milliseconds. It usually takes less than one. */
    idTime: 5_000,
    /** Maximum number of statements and transactions of one workspace that wait for a connection in one process. */
    waiting: 1_000,
    /**
     * Total milliseconds of slow statements of one workspace until it gets fewer connections. The total decays over
     * time.
     */
    slowTime: 3_000,
    /** Maximum size of a connection's temporary files, in kilobytes. */
    temporaryFiles: 1024 * 1024,
    /** Maximum attempts of a transaction that PostgreSQL aborts because of concurrent transactions. */
    attempts: 6,
    /** Maximum pause in milliseconds after the first attempt. It grows by the same amount with each further attempt. */
    attemptPause: 20,
    /** Maximum rows per statement if many rows are changed or deleted in batches. */
    batchRows: 5_000,
    /** Maximum rows per statement if one call creates many rows. */
    sliceRows: 2_000,
    /** Maximum characters of the values of all these rows. */
    sliceBytes: 4 * 1024 * 1024,
    /**
     * Number of ids that a process reserves at a time for new rows of one table of a workspace, unless it needs more.
     */
    numbers: 1_000,
    /** Milliseconds after which unused ids are dropped, so that ids from several processes stay roughly in order. */
    numbersTime: 100,
    /** Maximum number of workspace tables for which a process has reserved ids. */
    numberBlocks: 20_000,
    /** Maximum number of prepared statements of a process. */
    prepared: 400,
    /** Maximum characters of a prepared statement. */
    preparedLength: 8_192,
    /**
     * Maximum number of items of a list parameter of a prepared statement. A generic plan searches each item from the
     * start.
     */
    preparedList: 200,
    /** Number of times that a statement is seen before it is prepared. */
    preparedAfter: 3,
    /**
     * Milliseconds after which the prepared statements are selected again if all slots are in use. No connection lives
     * longer, so the number of its plans is bounded.
     */
    preparedTime: 600_000,
  },
  /** The JSON API. */
  json2: {
    /** Maximum bytes of a request body, as in Odoo 19. */
    body: 128 * 1024 * 1024,
  },
  /** Classic RPC. */
  rpc: {
    /** Maximum bytes of a request body. A file of 96 MB fits, in base64. */
    body: 128 * 1024 * 1024,
    /** Maximum number of workspaces listed for unauthenticated clients, if the operator enables it. */
    databases: 1_000,
    /** Maximum nesting levels of a message. */
    depth: 100,
    /** Maximum number of elements of a message. */
    values: 500_000,
    /** Maximum number of XML attributes of a message. */
    attributes: 1_000,
    /** Maximum number of references such as `&amp;` in a message. */
    references: 2_000_000,
    /** Maximum characters of a name in a message. */
    nameLength: 255,
    /** Maximum nesting levels of a result. */
    resultDepth: 500,
  },
  /** GraphQL. */
  graphql: {
    /** Maximum characters of a document. */
    document: 100_000,
    /** Maximum number of parsed and validated documents in the cache. */
    documents: 5_000,
    /** Maximum bytes of these documents: about 600 per token. */
    documentBytes: 32 * 1024 * 1024,
    /** Maximum number of cached schemas of workspaces with custom models. */
    workspaceSchemas: 64,
    /** Maximum nesting levels of a document. `edges`, `node` and `nodes` of a connection do not count. */
    depth: 12,
    /** Maximum number of aliases in a document. */
    aliases: 30,
    /** Maximum number of fields in a document. Fields of a fragment count for each use. */
    fields: 2_000,
    /**
     * Maximum estimated number of values that a document requests. A field counts once per record. The number of
     * records in a list is `first`, `last` or `limit`, or the field's own `size`. Without these it is `pageDefault` at
     * the root and `listGuess` below.
     */
    cost: 500_000,
    /** Number of these values that a file in a field counts as, because its beginning is read to detect the type. */
    fileCost: 8,
    /** Estimated number of records in a nested list without `first`. */
    listGuess: 10,
    /** Maximum number of objects and lists in the variables of a request. Variables of the type JSON do not count. */
    variableObjects: 5_000,
    /** Maximum number of values in the variables of a request. Variables of the type JSON do not count. */
    variableValues: 200_000,
    /** Maximum bytes of cached introspection responses, compressed. */
    introspectionBytes: 16 * 1024 * 1024,
    /** Maximum number of tokens of a document. */
    tokens: 2_000,
    /** Maximum number of rows of one list in the typed graph. */
    page: 500,
    /** Default number of rows in such a list. */
    pageDefault: 80,
    /** Maximum number of conditions in all large domains of one request. The last domain may exceed the limit. */
    conditions: 5_000,
    /** Maximum number of text searches in the conditions of one request. */
    matches: 10,
    /** Maximum number of records in all nested lists of one request. */
    rows: 50_000,
    /** Maximum number of records that one mutation of the typed graph creates, changes or deletes. */
    writes: 500,
    /** Maximum number of inputs of one such mutation, including nested ones. */
    writeInputs: 2_000,
    /** Maximum nesting levels of inputs. */
    writeDepth: 5,
    /** Maximum number of groups of one request whose records are listed. */
    openedGroups: 100,
    /**
     * Maximum number of records that rules permit for a model read by Prisma, because their ids are part of the query.
     */
    ruled: 10_000,
  },
  /** Subscriptions. */
  live: {
    /** Maximum number of open streams of one caller in one process. */
    perCaller: 50,
    /** Maximum number of open streams of one workspace in one process. */
    perWorkspace: 2_000,
    /** Maximum number of open streams of one process. */
    streams: 5_000,
    /** Maximum number of topics of one stream. */
    topics: 20,
    /** Milliseconds between two checks for changes. */
    window: 100,
    /** Maximum number of concurrent statements that read records for subscribers. */
    atOnce: 4,
    /** Minutes during which changes are kept for subscribers that reconnect. */
    keepMinutes: 60,
    /** Maximum number of statements that change records, for all workspaces of a process, between two checks. */
    statements: 5_000,
    /** Maximum number of changed records of a model in one window that are reported to subscribers individually. */
    burst: 1_000,
    /** Maximum number of records of one topic that are remembered as matching. */
    reach: 10_000,
    /** Maximum number of records of all topics that a process remembers. */
    remembered: 500_000,
    /** Maximum milliseconds of reading for subscribers between two pauses. */
    slice: 100,
    /** Maximum number of changes waiting for a group. Beyond it, the group is told to read again instead. */
    backlog: 200,
    /** Minimum milliseconds between two instructions to a group to read again. */
    resyncPause: 5_000,
    /** Maximum bytes buffered for a slow client. */
    buffer: 64 * 1024,
    /** Milliseconds after which a client that reads nothing is disconnected. */
    patience: 60_000,
    /** Milliseconds between two heartbeats to an idle client. */
    heartbeat: 15_000,
    /** Maximum milliseconds that the start of a stream waits for older transactions. */
    startTime: 2_000,
  },
  /** MCP. Contract, "Limits". */
  mcp: {
    /** Maximum number of records in one response. */
    rows: 500,
    /** Default number of records in a response. */
    rowsDefault: 50,
    /** Maximum number of characters of a tool's result: about 20,000 tokens, which common clients show in full. */
    answerChars: 80_000,
    /** Default number of records in a response of `find`. */
    found: 20,
    /** Maximum number of groups in one response. */
    groups: 2_000,
    /** Default number of groups in a response. */
    groupsDefault: 100,
    /** Maximum number of records that an agent may update without a confirmation. */
    unconfirmed: 100,
    /** Maximum number of messages of one batch. */
    batch: 50,
    /** Maximum number of mailbox messages that one call organizes. */
    organized: 100,
    /** Maximum number of mailbox messages that one call organizes without a confirmation. */
    organizedUnasked: 25,
    /** Maximum number of values of one completion, as specified by the protocol. */
    completions: 100,
    /** Maximum number of characters that are used of the text to complete. */
    completed: 200,
    /** Maximum number of models that one call lists. */
    models: 500,
    /** Maximum nesting levels of arrays and objects in a message. A domain of the record API may have 60. */
    depth: 100,
    /** Milliseconds a client may cache lists and discovery. */
    listTime: 3_600_000,
    /** Maximum number of cached tool lists in a process, one for each combination of rights in use. */
    listings: 200,
    /** Maximum number of companies whose enabled mail features a process caches. */
    companies: 1_000,
    /** Cache lifetime in milliseconds. */
    featuresTime: 2_000,
  },
  /** Agents, which call the MCP server. */
  agent: {
    /** Default number of calls of an agent per minute. */
    callsPerMinute: 3_000,
    /** Highest daily budget, and number of calls per minute, that can be configured. */
    budget: 1_000_000_000,
    /** Maximum number of messages that an agent may send per minute. */
    sendsPerMinute: 60,
    /** Maximum number of calls of an agent per minute to tools that delete. */
    deletesPerMinute: 120,
    /** Maximum number of calls of an agent per minute to tools that change modules. */
    modulesPerMinute: 10,
    /** Maximum number of stored characters of a program's name. */
    clientName: 100,
    /** Minutes within which a preview can be confirmed with its token. */
    confirmMinutes: 10,
    /** Maximum characters of an accepted confirmation token. */
    confirmLength: 1_000,
    /** Maximum number of pending actions of a workspace that wait for a person. */
    heldWaiting: 100,
    /** Maximum number of pending actions of one agent. */
    agentPendingActions: 20,
    /** Days an action stays pending. */
    heldDays: 7,
    /** Minutes after which an approved action without an outcome counts as failed. */
    heldRunning: 15,
    /** Maximum bytes of the arguments of a pending action. */
    heldBytes: 1024 * 1024,
    /** Maximum number of displayed characters of a pending action. A longer action is not held. */
    pendingActionChars: 100_000,
    /** Maximum characters of the reason why an action is rejected. */
    heldReason: 1_000,
    /** Lifetime of the one-click key of an agent, in days. Contract, "Limits". */
    keyDays: 365,
    /** Maximum number of calls of an agent that are shown together. */
    callsShown: 200,
    /** Maximum number of names in one list that restricts what a connection can see. */
    narrowing: 100,
    /** Maximum number of agents for which a process remembers that the last call was admitted. */
    known: 10_000,
    /** Milliseconds the process remembers this. */
    knownTime: 10_000,
    /** Milliseconds before an active agent is recorded again. */
    seenTime: 60_000,
    /** Number of calls within `burstSpan` after which read-only calls do not wait for their line in the log. */
    burstCalls: 50,
    /** Length of the counted period in milliseconds. */
    burstSpan: 100,
    /** Milliseconds after which their lines are written. */
    burstDelay: 20,
    /** Maximum number of lines that are not written yet. */
    burstMaxPending: 500,
  },
  /** Conditions on records. */
  domain: {
    /** Maximum number of conditions in one domain. */
    conditions: 1_000,
    /** Maximum estimated cost of comparing a row with a caller's domain (`src/engine/domain/cost.ts`). */
    cost: 2_000,
    /** Maximum characters of a pattern. PostgreSQL cannot be interrupted while it matches one text. */
    pattern: 500,
    /** Maximum nesting levels of a domain. */
    depth: 60,
    /** Maximum number of values in one `in` list, of ids in one call, and of records in one create. */
    values: 100_000,
    /** Maximum characters of JSON in a containment condition. */
    json: 2_000,
    /** Maximum characters of a record rule, or of the options of a selection. */
    text: 128 * 1024,
    /** Maximum number of terms of a relative date such as `today -30d`. */
    dateTerms: 20,
  },
  /** Reading and writing records. */
  record: {
    /**
     * Maximum characters of a single-line text (`char`), unless the field has a lower limit. Longer texts belong in a
     * `text` field.
     */
    charLength: 1024 * 1024,
    /** Maximum number of terms of one `order`. Each may use another table. */
    orderTerms: 20,
    /** Maximum number of links that the paths of one `order` or grouping follow. Common prefixes count once. */
    pathJoins: 20,
    /** Maximum number of fields in one path of an `order` or a grouping. */
    pathSteps: 8,
    /** Maximum number of fields to group by, and of grouping sets, in one call. */
    groupings: 20,
    /** Maximum number of groups for which one call also returns records or subgroups. */
    openGroups: 100,
    /**
     * Maximum number of lists, such as tags, among the fields to group by. A record is in a group for each item of each
     * list.
     */
    listGroupings: 2,
    /** Maximum number of aggregates in one call. */
    aggregates: 100,
    /** Maximum number of groups in one response. Each has names, labels and conditions. */
    groups: 50_000,
    /** Maximum bytes of the texts and lists of all groups in one response. */
    groupBytes: 16 * 1024 * 1024,
    /**
     * Maximum number of fields that a workspace may add to one model. A PostgreSQL result has at most 1,664 columns.
     */
    customFields: 1_000,
    /** Maximum number of properties that one record may define. */
    propertyDefinitions: 100,
    /** Maximum nesting levels of a web_read specification. */
    specificationDepth: 10,
    /** Maximum number of fields in a web_read specification. */
    specificationFields: 1_000,
    /** Maximum number of lists in a specification that are nested below other relations. */
    nestedLists: 50,
    /** Maximum number of records in all these lists. */
    nestedRows: 50_000,
    /** Maximum product of records and contacts in one call that adds followers. */
    newFollowers: 100_000,
    /** Maximum number of levels in the full name of a tag: the tag and its ancestors. */
    pathLevels: 50,
    /**
     * Maximum total bytes of files that one write stores in fields of several records. Each record stores its own copy.
     */
    fileBytes: 500_000_000,
    /** Maximum bytes that defaults in the context (`default_x`) add to the records of one create. */
    defaultBytes: 64 * 1024 * 1024,
    /** Maximum number of cached field descriptions of models, per workspace. */
    fieldAnswers: 100,
    /** Maximum number of cached statements for one record, per caller. */
    keptStatements: 100,
    /** Maximum number of fields of a cached statement. */
    keptFields: 60,
    /** Minutes within which changes of records can be undone. */
    undoMinutes: 60,
    /** Maximum number of undo tokens of one user. */
    undoTokens: 20,
    /** Maximum characters of an undo token. */
    undoToken: 100,
    /** Maximum number of records that are undone together. */
    undoRows: 5_000,
    /** Maximum bytes of undo data for one change. */
    undoBytes: 2 * 1024 * 1024,
    /** Maximum bytes that the database needs for the undo data of one token. */
    undoTokenBytes: 8 * 1024 * 1024,
  },
  /** Sanitizing HTML. */
  html: {
    /**
     * Maximum characters sanitized in one iteration of the event loop, and in one call. Longer HTML is sanitized in a
     * worker thread.
     */
    atOnce: 128 * 1024,
    /** Fixed cost of a text, in characters. */
    each: 32,
    /** Maximum bytes of one text. */
    bytes: 2 * 1024 * 1024,
    /** Maximum number of `<` characters in one text. */
    tags: 100_000,
    /** Maximum nesting levels of elements. */
    depth: 2_000,
  },
  /** The email REST API. */
  rest: {
    /** Maximum bytes of a request body. Attachments are base64 in JSON. */
    body: 40 * 1024 * 1024,
    /** Highest page number of any list. */
    pages: 1_000_000,
  },
  /** Emails. */
  email: {
    /** Maximum number of emails in one request. */
    batch: 100,
    /** Maximum number of emails included in a breakdown: the newest ones. */
    breakdownEmails: 20_000,
    /** Maximum number of groups in a breakdown. */
    breakdownGroups: 200,
    /** Maximum number of rows per export. */
    export: 20_000,
    /** Maximum number of workspaces for which a process remembers that they have active webhooks. */
    hearing: 10_000,
    /** Maximum number of senders whose domains are cached. */
    senders: 1_000,
    /** Maximum number of recipients of one email. */
    recipients: 50,
    /** Maximum characters of a subject. */
    subject: 998,
    /**
     * Maximum bytes of the HTML, the text and the decoded attachments of one email. SES accepts messages of 40 MB.
     * Base64 adds a third, and headers a little.
     */
    bytes: 28 * 1024 * 1024,
    /** Maximum bytes of the stored content of all emails in one request. */
    requestBytes: 64 * 1024 * 1024,
    /** Characters of generated HTML after which emails for contacts are stored before more are generated. */
    madeAtOnce: 8 * 1024 * 1024,
    /** Maximum number of attachments of one email. */
    attachments: 10,
    /** Maximum bytes of all attachments of one email, before encoding. */
    attachmentBytes: 25 * 1024 * 1024,
    /** Maximum number of attachment URLs that are fetched for one request. */
    fetches: 20,
    /** Maximum number of concurrent fetches for one request. */
    fetchesAtOnce: 4,
    /** Maximum characters of an attachment URL. */
    fetchPath: 2_048,
    /** Timeout of all fetches for one request together, in milliseconds. */
    fetchTime: 15_000,
    /** Maximum number of redirects that one fetch follows. */
    fetchRedirects: 3,
    /** Maximum number of concurrent requests of one workspace that fetch attachments, per process. */
    workspaceFetches: 8,
    /** Maximum total number for all workspaces. */
    fetching: 64,
    /** Maximum bytes fetched for one workspace that a process holds in memory. */
    fetchedBytesOfOne: 64 * 1024 * 1024,
    /** Maximum total fetched bytes for all workspaces. */
    fetchedBytes: 256 * 1024 * 1024,
    /** Maximum characters of an attachment's file name. */
    filename: 255,
    /** Maximum characters of HTML for which a text part is generated. */
    textFromHtml: 1024 * 1024,
    /** Maximum number of variables of one send. */
    variables: 500,
    /** Maximum number of tags of one email. */
    tags: 50,
    /** Maximum characters of a tag's name. */
    tagName: 100,
    /** Maximum characters of a tag's text. */
    tagText: 500,
    /** Maximum bytes of the metadata as JSON. */
    metadata: 16 * 1024,
    /** Maximum number of custom headers of one send. */
    headers: 100,
    /** Maximum bytes of the names and values of all these headers. */
    headerBytes: 64 * 1024,
    /** Maximum number of emails per page of a list. */
    page: 50,
    /** Number of emails between two page checkpoints of a list. */
    markEvery: 1_000,
    /** Maximum number of lists for which a process stores page checkpoints. */
    markedLists: 200,
    /** Milliseconds after which the checkpoints of a list are computed again. */
    markTime: 15 * 60_000,
    /** Milliseconds after which checkpoints are added for new emails. */
    markPause: 60_000,
    /** Maximum number of bodies deleted in one statement. */
    bodyBatch: 2_000,
    /** Maximum bytes of a message's source that the outbox shows. */
    outboxSource: 64 * 1024,
  },
  /** Mailboxes. */
  mail: {
    /** Maximum bytes of a raw message: 25 MB of files in base64, and the rest of the message. */
    messageBytes: 40 * 1024 * 1024,
    /** Timeout of one attempt to parse a message, in milliseconds. */
    parseTime: 10_000,
    /** Maximum number of messages of a thread that can still be merged into another one. */
    mergedMessages: 5_000,
    /** Maximum rows per page of a list of messages. */
    rows: 200,
    /** Maximum number of messages with the search words that one statement examines. */
    searchRows: 4_500,
    /** Highest number of search results that are counted. */
    searchCount: 1_000,
    /** Maximum number of search results that a page may skip. */
    searchOffset: 5_000,
    /** Maximum characters of a message's text that searches and rules examine. */
    searchedText: 100_000,
    /** Maximum number of texts that a phrase search examines in one time window. */
    searchTexts: 5_000,
    /** Maximum number of messages that a search in the conditions of a list may match. */
    matched: 4_000,
    /** Timeout of a search in milliseconds. */
    searchTime: 2_000,
    /** Maximum number of mailboxes of one search. */
    searchMailboxes: 50,
    /** Maximum number of messages that one call changes. */
    changed: 1_000,
    /** Maximum number of matching messages that one call can change. */
    changedFound: 20_000,
    /** Maximum number of messages that one job changes. */
    changedByJob: 1_000_000,
    /** Maximum milliseconds that a job searches for them. */
    jobSearchTime: 60_000,
    /** Maximum number of unfinished jobs of a user. */
    jobs: 20,
    /** Maximum number of concurrent jobs of a process. */
    jobsAtOnce: 4,
    /** Maximum number of concurrent jobs of one workspace in a process. */
    workspaceConcurrentJobs: 2,
    /** Milliseconds after which a job lets another waiting job run. */
    jobTurn: 30_000,
    /** Milliseconds after which another process takes over the job of a dead process. */
    jobLease: 20_000,
    /** Number of attempts without progress after which a job fails. */
    jobAttempts: 10,
    /** Days during which a finished job is listed. */
    jobDays: 30,
    /** Number of values (`graphql.cost`) that the folders of a job count as. */
    jobCost: 5_000,
    /** Maximum number of failed messages for which a job stores the reason. */
    jobFailures: 100,
    /** Minutes within which a change can be undone by its token. */
    undoMinutes: 60,
    /** Maximum number of changes of a user that can be undone by token. */
    undoTokens: 50,
    /** Maximum number of messages that one call deletes to empty Trash. */
    emptyTrashMessages: 100_000,
    /** Maximum number of labels that one call adds or removes. */
    labelsAtOnce: 50,
    /** Maximum number of labels of a mailbox. */
    labels: 500,
    /** Maximum characters of a label's name. */
    labelName: 40,
    /** Maximum number of folders of a mailbox, in addition to the standard ones. */
    folders: 500,
    /** Maximum characters of a folder's name. */
    folderName: 100,
    /** Maximum number of senders that a mailbox blocks. */
    blocked: 10_000,
    /** Maximum number of blocked senders that are listed. */
    listedBlocks: 500,
    /** Maximum number of recipients that are suggested. */
    suggestions: 50,
    /** Maximum number of drafts of a user in a mailbox. */
    drafts: 1_000,
    /** Maximum characters of each recipient list of a draft. */
    recipientText: 40_000,
    /** Maximum characters of a staged file's name. */
    fileName: 255,
    /** Maximum number of staged files of a user. */
    stagedFiles: 200,
    /** Maximum bytes of a user's staged files. */
    stagedBytes: 200 * 1024 * 1024,
    /** Hours after which a staged file is deleted. */
    stagedHours: 24,
    /** Maximum characters of a signature. */
    signature: 100_000,
    /** Maximum characters of a mailbox's display name. */
    senderName: 100,
    /** Maximum bytes of a user's photo. */
    avatarBytes: 2 * 1024 * 1024,
    /** Maximum number of additional addresses of a mailbox. */
    aliases: 100,
    /** Maximum number of reserved local parts of addresses in a workspace. */
    reserved: 1_000,
    /** Maximum number of mailboxes in the access overview. */
    accessMailboxes: 500,
    /** Maximum number of members of a shared mailbox. */
    members: 500,
    /** Maximum number of listed users who can be added to a shared mailbox. */
    candidates: 500,
    /** Maximum number of shared mailboxes owned by a user who is not an administrator. */
    sharedOwned: 10,
    /** Number of values (`graphql.cost`) that the text of a message counts as. */
    textCost: 500,
    /** Number of values that a message's header counts as. It is read from the raw message. */
    headersCost: 500,
    /** Number of values that a message's HTML counts as. It is read from the raw message and sanitized. */
    htmlCost: 2_000,
    /** Number of values that a message's attachments count as. There may be hundreds. */
    attachmentsCost: 100,
    /** Maximum bytes of message texts without quotes in one response. */
    responseTextBytes: 8 * 1024 * 1024,
    /** Maximum characters of headers in one response. */
    responseHeaderChars: 8 * 1024 * 1024,
    /** Maximum number of parts of messages in one response, including attachments. */
    responseParts: 10_000,
    /** Maximum bytes of HTML in one response. */
    responseHtmlBytes: 4 * 1024 * 1024,
    /** Maximum bytes of a displayed message header. */
    messageHeaderBytes: 1024 * 1024,
    /** Maximum number of header fields that one field of a document requests by name. */
    headerNames: 50,
    /** Maximum number of messages that a list of conversations examines to fill one page. */
    threadRows: 4_000,
    /** Highest number of messages in a conversation that are counted. */
    threadCount: 500,
    /** Maximum number of messages of a conversation whose people are named. */
    threadPeople: 50,
    /** Number of values (`graphql.cost`) that a conversation counts as. */
    threadCost: 100,
    /** Maximum number of conversations per page. */
    threads: 100,
    /** Maximum number of displayed messages of a conversation. */
    threadMessages: 100,
    /**
     * Maximum characters of all texts of a displayed conversation. They are divided among the messages, or each gets
     * `threadText`.
     */
    threadTexts: 10_000_000,
    /** Maximum characters of a message's text in a long conversation. */
    threadText: 100_000,
    /** Maximum number of messages of a conversation that are read as plain text. */
    plainMessages: 50,
    /** Maximum characters of each of their texts. */
    plainEach: 4_000,
    /** Maximum characters of all of their texts. */
    plainAll: 20_000,
    /** Maximum bytes of a remote image in a message. */
    imageBytes: 10 * 1024 * 1024,
    /** Timeout for fetching a remote image, in milliseconds. */
    imageTime: 10_000,
    /** Maximum characters of the URL of a remote image. */
    imageUrl: 2_048,
    /** Maximum number of images that a process fetches concurrently. */
    imagesAtOnce: 64,
    /** Maximum share of one workspace. */
    imagesAtOnceOfOne: 24,
    /** Maximum share of one user. */
    userConcurrentImages: 12,
    /** Maximum bytes of images that a process is fetching. */
    imagesFetched: 128 * 1024 * 1024,
    /** Maximum share of one workspace, in bytes. */
    imagesFetchedOfOne: 48 * 1024 * 1024,
    /** Maximum number of images that a process fetches for one user within `imageWindow`. */
    imagesOfUser: 1_000,
    /** Maximum number of images that a process fetches for one workspace within `imageWindow`. */
    imagesOfOne: 20_000,
    /** Length of the window in milliseconds. */
    imageWindow: 600_000,
    /** Maximum number of users and workspaces whose images one process counts. */
    imageCounts: 20_000,
    /** Maximum number of images that a process caches. */
    cachedImages: 5_000,
    /** Maximum total bytes of the cached images. */
    cachedImageBytes: 64 * 1024 * 1024,
    /** Cache lifetime of an entry, in milliseconds. */
    imageAge: 3_600_000,
    /** Maximum number of file names of a message that is read as plain text. */
    plainFiles: 200,
    /** Maximum characters of a message that are shown before it is sent. */
    previewText: 500,
    /** Maximum number of domains whose state is listed. */
    domainStates: 100,
    /** Days during which the changes of a mailbox are listed. */
    changeDays: 30,
    /** Days a mailbox remembers sent messages. Its rate limit uses the last hour. */
    sendLogDays: 2,
    /** Days a mailbox remembers recipients of auto-replies. */
    autoReplyDays: 14,
    /** Maximum bytes that another mail server may send in one call. */
    imapBytes: 96 * 1024 * 1024,
    /** Maximum number of messages per file of an export. */
    exported: 3_000,
    /** Maximum number of messages of one import. */
    imported: 50,
    /** Maximum bytes of one imported message. */
    importedBytes: 25 * 1024 * 1024,
    /** Maximum bytes of all messages of one import. */
    importBytes: 40 * 1024 * 1024,
    /** Maximum number of messages that one call imports from another mail server. */
    imapBatch: 40,
    /** Timeout of such a call in milliseconds. Messages received until then are filed. */
    imapTime: 45_000,
    /** Timeout for the connection to the other server, including its greeting, in milliseconds. */
    imapConnectTime: 10_000,
    /** Timeout for counting the messages in folders of the other server, in milliseconds. */
    imapCountTime: 8_000,
    /** Maximum number of listed folders of the other server. */
    imapFolders: 1_000,
    /** Maximum characters of a user name and of a password for the other server. */
    imapCredential: 512,
    /** Maximum characters of a folder path on the other server. */
    imapPath: 1_000,
    /** Maximum number of connections of one process to other mail servers. */
    imapAtOnce: 16,
    /** Maximum share of one workspace. */
    imapAtOnceOfOne: 4,
    /** Maximum total number of recipients of a message in to, cc and bcc. */
    messageRecipients: 100,
    /** Maximum number of messages that a mailbox may send in an hour. */
    sendsPerHour: 300,
    /** Maximum characters of a sent message's subject. */
    subject: 998,
    /** Maximum characters of a sent message's body, as text and as HTML, and of the text of a message that is read. */
    body: 524_288,
    /** Maximum bytes of all attachments of a sent or staged message. */
    attachmentBytes: 25 * 1024 * 1024,
    /** Maximum number of attachments of a sent message. */
    attachments: 100,
    /** Maximum number of scheduled messages of a user. */
    outgoing: 200,
    /** Seconds within which sending can be undone. */
    undoSendSeconds: 120,
    /** Maximum number of days ahead for which a message can be scheduled. */
    scheduledDays: 366,
    /** Maximum number of scheduled messages that a process sends concurrently. */
    outgoingAtOnce: 8,
    /** Milliseconds after which another process takes over a message that a process was sending. */
    outgoingLease: 60_000,
    /** Maximum number of attempts to send a message before it waits for its author. */
    outgoingAttempts: 20,
    /** Maximum milliseconds that a call waits for the provider's response. */
    transportWait: 10_000,
    /** Maximum number of Message-IDs in the References header of a reply. */
    references: 50,
    /** Maximum number of domains whose owner a process caches. */
    homes: 10_000,
    /** Cache lifetime of the owner, in milliseconds. */
    homeTime: 2_000,
    /** Maximum number of mailboxes that a process files messages into concurrently. */
    filedAtOnce: 48,
    /** Maximum share of one workspace. */
    filedAtOnceOfOne: 32,
    /** Maximum number of messages that are filed into one mailbox concurrently. */
    filedTogether: 16,
    /** Maximum number of concurrent transactions of a process that store incoming messages of one workspace. */
    keptAtOnce: 2,
    /** Maximum bytes of messages stored in one transaction. */
    keptTogether: 1024 * 1024,
    /** Maximum number of concurrent statements of a process that look up recipients of one workspace. */
    lookupsAtOnce: 2,
    /** Maximum number of addresses looked up with one statement, unless one message has more. */
    lookedUpTogether: 300,
    /** Maximum number of messages claimed with one statement. */
    filedClaim: 96,
    /** Maximum number of messages filed in one transaction, unless one mailbox has more. */
    filedInOne: 64,
    /** Milliseconds during which a worker without a heartbeat keeps its claimed messages. */
    filingLease: 30_000,
    /** Milliseconds during which filing is attempted. Afterwards, the message waits for a person. */
    filingTime: 5 * 86_400_000,
    /** Maximum number of incoming messages of a mailbox, not filed yet, that count toward its quota. */
    countedOnTheWay: 1_000,
    /**
     * Number of attempts to parse a message during which a process crashed, after which the message is filed without
     * parsing.
     */
    suspectAttempts: 2,
    /** Maximum number of messages that could not be filed and that a command lists. */
    failedListed: 500,
    /** Days during which the record of an incoming message is kept after filing. */
    intakeDays: 30,
    /** Maximum number of rules of a mailbox. */
    rules: 50,
    /** Maximum number of messages of the Inbox that a rule preview examines. */
    rulePreview: 200,
    /** Maximum number of samples in a rule preview. */
    ruleSamples: 5,
    /** Maximum characters of an auto-reply's subject. */
    autoReplySubject: 150,
    /** Maximum characters of an auto-reply's text. */
    autoReplyBody: 4_000,
    /** Maximum number of auto-replies of a mailbox in an hour. */
    autoRepliesPerHour: 100,
  },
  /** Incoming mail from other servers (SMTP). */
  mx: {
    /** Maximum number of concurrent sessions. */
    clients: 200,
    /** Maximum number of concurrent sessions from one address. */
    clientsOfOne: 20,
    /** Maximum number of recipients of one transaction. */
    recipients: 100,
    /** Number of unknown recipients after which a session is closed. */
    unknown: 20,
    /** Maximum milliseconds that a session may be silent. */
    pause: 60_000,
    /** Maximum bytes of all messages that are being received. */
    bytes: 256 * 1024 * 1024,
    /** Maximum bytes from one address: two of the largest messages. */
    bytesOfOne: 80 * 1024 * 1024,
    /** Milliseconds within which a message must be complete. */
    dataTime: 600_000,
    /** Timeout for the DNS queries of one check of a message, in milliseconds. */
    dnsTime: 5_000,
    /** Maximum number of DNS responses that a process caches. */
    dnsAnswers: 5_000,
    /** Maximum total bytes of the cached responses. */
    dnsAnswerBytes: 4 * 1024 * 1024,
    /** Cache lifetime of an entry, in milliseconds. */
    dnsAnswerTime: 60_000,
    /** Timeout for the spam filter, in milliseconds. */
    spamTime: 2_000,
  },
  /** Templates. */
  template: {
    /** Maximum characters of a name. */
    name: 255,
    /** Maximum total bytes of HTML and text. */
    bytes: 2 * 1024 * 1024,
    /** Maximum number of variables and comments in one text. */
    tags: 20_000,
    /** Maximum characters of all templates that a process caches. */
    cache: 32 * 1024 * 1024,
    /** Maximum number of templates that a process caches. */
    entries: 2_000,
  },
  /** Images in emails, served by this server. */
  picture: {
    /** Maximum bytes of an image that can be resized. */
    bytes: 20 * 1024 * 1024,
    /** Maximum number of pixels of an image, according to its header. Larger images are never decoded. */
    pixels: 25_000_000,
    /** Timeout for resizing an image, in seconds. */
    seconds: 10,
    /** Maximum number of images waiting to be resized in one process. They are resized one at a time. */
    waiting: 100,
    /** Maximum share of one workspace. */
    waitingOfOne: 20,
    /** Maximum share of one user. All anonymous visitors of a workspace count as one user. */
    waitingOfUser: 10,
    /** Maximum bytes of resized images that a process caches. */
    kept: 64 * 1024 * 1024,
    /** Maximum number of resized images that a process caches. */
    entries: 5_000,
    /** Maximum bytes at the start of an image that are searched for its dimensions. */
    head: 256 * 1024,
    /** Maximum number of images whose dimensions a process caches. */
    heads: 20_000,
  },
  emailImage: {
    /** Maximum bytes of an uploaded image. In base64 it fits into a request. */
    bytes: 2 * 1024 * 1024,
    /** Maximum bytes of all images of a workspace. */
    workspaceBytes: 512 * 1024 * 1024,
    /** Maximum number of images of a workspace. */
    perWorkspace: 5_000,
    /** Maximum characters of a name. */
    name: 200,
  },
  /** Websites. */
  site: {
    /** Maximum characters of a view's markup. */
    arch: 256 * 1024,
    /** Maximum number of elements and texts of a view. */
    nodes: 20_000,
    /** Maximum number of attributes of one element. */
    attributes: 50,
    /** Maximum nesting levels of elements, and of parts of an expression. */
    depth: 60,
    /** Maximum characters of an expression. */
    expression: 500,
    /** Maximum characters of a text that an expression searches with `in`. */
    searched: 1_000,
    /** Maximum nesting levels of template calls. */
    calls: 10,
    /** Maximum total number of templates that a page calls. */
    templates: 100,
    /** Maximum total characters of the markup of these templates. */
    called: 1024 * 1024,
    /** Maximum number of steps for rendering a page. */
    steps: 200_000,
    /** Maximum characters of a rendered page, including text rendered into values. */
    output: 2 * 1024 * 1024,
    /** Timeout for rendering a page, in milliseconds. */
    renderTime: 250,
    /** Maximum number of images of a page whose dimensions are looked up. */
    pictures: 100,
    /** Maximum number of record lists in one view. */
    queries: 5,
    /** Maximum number of record lists in a page and all views that it calls. */
    pageQueries: 20,
    /** Maximum number of records of such a list. */
    listed: 100,
    /** Maximum characters of markup that a process caches in compiled form. */
    compiled: 16 * 1024 * 1024,
    /** Maximum bytes of finished pages that a process caches. */
    finished: 64 * 1024 * 1024,
    /** Maximum number of finished pages that a process caches. */
    entries: 10_000,
    /** Milliseconds during which a finished page is cached if an invalidation is lost. */
    age: 60_000,
    /** Maximum characters of the name of a page or a menu item. */
    name: 255,
    /** Maximum characters of a URL. */
    url: 1_000,
    /** Maximum number of pages of a website, including shared ones. */
    pages: 5_000,
    /** Maximum number of URLs in a website's sitemap for search engines. */
    sitemapLinks: 50_000,
    /** Maximum characters of a sitemap. */
    sitemap: 4 * 1024 * 1024,
    /** Maximum number of languages of a website whose pages refer to each other in the sitemap. */
    sitemapLanguages: 20,
    /** Maximum number of menu items of a website. */
    menus: 500,
    /** Maximum number of versions of a view that are kept. */
    versions: 100,
    /** Maximum characters of a form field. */
    formField: 5_000,
    /** Maximum number of fields of a form. */
    formFields: 30,
    /** Minimum milliseconds that a person needs between opening and sending a form. */
    formHaste: 2_000,
    /** Milliseconds after which a form must be opened again. */
    formAge: 24 * 3_600_000,
    /** Maximum number of forms that one address may send within `formWindow`. */
    formSends: 10,
    /** Length of the window in milliseconds. */
    formWindow: 600_000,
    /** Cache lifetime of the website of a host, in milliseconds. */
    hostAge: 30_000,
    /** Maximum number of addresses counted in one process. */
    formSources: 10_000,
  },
  /** The queue of emails. */
  delivery: {
    /** Milliseconds a worker leases an email. */
    leaseTime: 60_000,
    /** Maximum number of emails of one workspace that are claimed at a time. */
    claimPerWorkspace: 50,
    /** Maximum number of workspaces with due mail that one poll finds. */
    workspacesAtOnce: 64,
    /** Bytes of content above which an email is claimed without its content. */
    largeEmail: 64 * 1024,
    /**
     * Maximum bytes of large content that a process holds at a time, and that it claims of one workspace. A larger
     * email is processed alone. A message uses up to nine times as much memory while it is composed and sent.
     */
    largeContent: 24 * 1024 * 1024,
    /** Maximum bytes of an email's content as stored. Base64 adds a third. */
    largestEmail: 40 * 1024 * 1024,
    /** Maximum number of emails that one process sends to the provider concurrently. */
    sendsAtOnce: 64,
    /**
     * Maximum number of concurrent emails for a slow provider whose rate needs more than `sendsAtOnce`. The SES client
     * has the same number of connections.
     */
    maxConcurrentSends: 256,
    /**
     * Maximum number of senders, domains and configuration sets whose mail is paused because the provider rejected some
     * of it.
     */
    outages: 10_000,
    /** Maximum number of failed emails that one call queues again. */
    againAtOnce: 5_000,
    /** Maximum characters of a search text for the reasons of failures. */
    reasonContains: 200,
    /** Hours after which an unsent email fails. */
    queueHours: 72,
  },
  /** SMTP submission. */
  submission: {
    /** Maximum bytes of one message. */
    message: 28 * 1024 * 1024,
    /** Maximum bytes of the header of a message or of one of its parts. */
    header: 192 * 1024,
    /** Maximum total bytes of a message's address headers. */
    addresses: 64 * 1024,
    /** Maximum bytes of all messages that a process reads concurrently. */
    bytes: 128 * 1024 * 1024,
    /** Maximum bytes of all copies of a message that hides its recipients from each other. */
    copies: 64 * 1024 * 1024,
    /** Maximum number of sessions of one process. */
    clients: 500,
    /** Maximum number of unauthenticated sessions from one address. */
    strangersOfOne: 50,
    /** Milliseconds within which a session must authenticate. */
    signInTime: 60_000,
    /** Maximum milliseconds that a session may be silent. */
    pause: 60_000,
  },
  /** Requests from Amazon SNS. */
  sns: {
    /** Maximum bytes of a body. A message has at most 256 kB, but grows as JSON within JSON. */
    body: 1024 * 1024,
    /** Maximum number of certificates that are cached. */
    certificates: 20,
    /** Milliseconds before a failed certificate download is retried. */
    certificatePause: 10_000,
    /** Timeout of one fetch in milliseconds. */
    time: 10_000,
  },
  /** Events from the email provider. */
  provider: {
    /** Maximum number of events stored or applied in one transaction. */
    eventBatch: 200,
    /** Maximum number of concurrent statements of a process that store events. */
    eventBatches: 4,
    /**
     * Maximum number of events that a process has received, but not applied. Further events wait for the job that runs
     * every minute.
     */
    eventBacklog: 2_000,
    /** Days within which a duplicate event is recognized. */
    eventDays: 14,
    /** Maximum number of days that an event waits for its email. */
    waitDays: 3,
    /** Minutes during which a waiting event is retried every minute. Later it is retried every hour. */
    youngMinutes: 30,
  },
  /** Checks of sending domains. */
  sendingDomain: {
    /** Maximum number of new unverified domains checked in one run. */
    checkedYoung: 30,
    /** Maximum number of older unverified domains checked in one run. */
    checkedOld: 10,
    /** Maximum number of verified domains checked in one run. */
    checkedVerified: 20,
    /** Maximum number of domains with a pending DNS record for a new key that are checked in one run. */
    checkedRotated: 20,
    /** Milliseconds between two checks of such a domain. */
    checkRotated: 10 * 60_000,
    /** Days during which the DNS record of a replaced key stays listed. */
    formerKeyDays: 7,
    /** Milliseconds a domain counts as new. */
    young: 72 * 3_600_000,
    /** Milliseconds between two checks of a newly added domain. The interval grows with its age. */
    checkYoung: 50_000,
    /** Milliseconds between two checks of an older domain. */
    checkOld: 3_600_000,
    /** Milliseconds between two checks of a verified domain. */
    checkVerified: 6 * 3_600_000,
  },
  /** The suppression list. */
  suppression: {
    /** Maximum number of addresses added in one call. */
    batch: 1_000,
    /** Maximum number of rows per export. */
    export: 100_000,
    /**
     * Maximum number of soft bounces per address whose timestamps are stored. This is also the maximum of
     * SOFT_BOUNCE_LIMIT.
     */
    softBounces: 99,
  },
  /** Webhooks. */
  webhook: {
    /** Maximum number of webhooks of one workspace. */
    perWorkspace: 50,
    /** Maximum number of calls shown with the email they are about. */
    callsOfEmail: 200,
    /** Maximum number of webhooks that a process calls concurrently. */
    atOnce: 100,
    /** Maximum share of one workspace. */
    atOnceOfOne: 10,
    /** Maximum number of concurrent calls of a process. */
    callsAtOnce: 300,
    /** Maximum number of concurrent calls for one workspace. */
    callsAtOnceOfWorkspace: 80,
    /** Maximum number of concurrent calls of one webhook. */
    callsAtOnceOfWebhook: 40,
    /** Timeout of a call in milliseconds. */
    time: 10_000,
    /** Milliseconds a process leases a webhook. */
    lease: 60_000,
    /** Maximum attempts of one call. */
    attempts: 6,
    /** Pause after the first attempt, in milliseconds. It doubles with each further attempt. */
    pause: 5_000,
    /** Maximum delay in milliseconds that a receiver may request before the next attempt. */
    retryAfter: 24 * 60 * 60 * 1000,
    /** Number of consecutive permanently failed calls after which a webhook is disabled. */
    failures: 30,
    /** Maximum number of stored characters of a response. */
    answer: 4_096,
    /** Maximum characters of a URL. */
    url: 2_048,
    /** Hours during which calls are also signed with the previous secret. */
    secretHours: 24,
    /**
     * Maximum number of days that a call waits, behind others or while its webhook is disabled, before it is discarded.
     */
    waitDays: 3,
    /** Retention of calls, in days. */
    callDays: 30,
  },
  /** Contacts of the email API. */
  contact: {
    /** Maximum characters of a name. */
    name: 255,
    /** Maximum characters of a property. */
    property: 10_000,
    /** Maximum characters of a property's name. */
    propertyName: 100,
    /** Maximum number of properties of one contact. */
    properties: 200,
    /** Maximum number of contacts per page. */
    page: 5_000,
    /** Maximum number of contacts in one request that adds or deletes many. */
    bulk: 1_000,
    /** Maximum bytes of a CSV file of contacts. */
    fileBytes: 256 * 1024 * 1024,
    /** Maximum number of rows of such a file. */
    fileRows: 200_000,
    /** Maximum number of columns of such a file that the caller names. */
    fileColumns: 1_000,
    /** Maximum bytes of one of its rows. */
    rowBytes: 64 * 1024,
    /** Maximum number of reported errors in such a file. */
    fileErrors: 1_000,
    /** Milliseconds within which a subscription can be confirmed. */
    confirmTime: 7 * 24 * 3_600_000,
  },
  /** Campaigns. */
  campaign: {
    /** Maximum number of campaigns per page. */
    page: 30,
    /** Maximum milliseconds by which the scheduled time of a new campaign may be in the past. */
    past: 5 * 60_000,
    /** Maximum number of contacts of one batch. */
    batch: 100_000,
    /** Maximum number of subscribed contacts that a preview counts. */
    counted: 100_000,
    /** Maximum minutes between two batches. */
    window: 7 * 24 * 60,
    /** Number of emails created in one transaction. */
    chunk: 500,
    /** Maximum number of campaign emails of a workspace that may wait in the queue before more are created. */
    ahead: 50_000,
    /** Maximum number of blocks in one text of the editor. */
    blocks: 10_000,
    /** Maximum nesting levels of such blocks. */
    blockDepth: 50,
  },
  /** The helpdesk. */
  helpdesk: {
    /** Maximum bytes of a message's HTML that is stored. For a longer message only the text is stored. */
    html: 256 * 1024,
    /** Maximum characters of the text of such a message. */
    text: 100_000,
    /** Maximum characters of a subject. */
    subject: 500,
    /** Maximum number of files of a message that are stored with its ticket. */
    files: 30,
    /** Maximum total bytes of these files. */
    fileBytes: 25 * 1024 * 1024,
    /** Maximum number of Message-IDs in a reply that are used to find its ticket. */
    answers: 100,
    /** Maximum number of working hours within which a ticket has to reach a stage. */
    slaHours: 4_000,
    /** Maximum number of SLA policies of a team. */
    policies: 100,
    /** Maximum number of missed deadlines that one transaction processes. */
    overdue: 50,
    /** Maximum number of messages shown on a ticket's page: the newest ones. */
    pageMessages: 100,
    /** Maximum characters of each of these messages. */
    pageText: 20_000,
    /** Maximum characters of a reply on that page, and of a rating's comment. */
    pageAnswer: 10_000,
    /** Maximum bytes of a form on that page. */
    pageForm: 64 * 1024,
    /** Maximum number of replies on the page of one ticket in an hour. */
    pageAnswers: 20,
    /** Maximum number of Message-IDs of a ticket that a reply refers to. */
    references: 20,
  },
  /** Calendars. */
  calendar: {
    /**
     * Number of initial events of a recurrence, as expected by clients of this API. Half as many are added over time.
     */
    occurrences: 720,
    /** Maximum total number of events of a recurrence, including past ones. */
    reach: 14_400,
    /** Maximum number of days, weeks, months or years between two occurrences. */
    interval: 999,
    /** Maximum number of attendees of an event. */
    attendees: 200,
    /** Maximum total number of attendees of a recurrence's initial events. */
    places: 20_000,
    /**
     * Maximum characters of the description in an email to attendees. The attached calendar file contains the full
     * description.
     */
    described: 5_000,
    /** Maximum number of events whose reminders are sent in one transaction. */
    reminded: 50,
    /** Maximum bytes of a reply to an invitation. */
    replyBytes: 256 * 1024,
    /** Maximum number of events in one reply. */
    replyEvents: 20,
    /** Maximum bytes of an imported calendar file. */
    importBytes: 1024 * 1024,
    /** Maximum number of events in such a file. */
    importEvents: 500,
    /** Timeout for parsing such a file or a reply, in milliseconds. */
    readTime: 10_000,
    /** Maximum number of properties in such a file or a reply. */
    properties: 20_000,
    /** Maximum number of parameters of one property. */
    parameters: 1_000,
    /** Maximum number of timestamps in such a file, including excluded occurrences. */
    times: 5_000,
    /** Maximum number of occurrences of all recurrences in an imported file. */
    importOccurrences: 10_000,
    /** Maximum number of recurrences that one call creates. */
    recurrences: 20,
    /** Maximum number of contacts whose busy times are requested at once. */
    busyPartners: 100,
    /** Maximum number of days of such a request. */
    busyDays: 93,
    /** Maximum number of busy times in the response. */
    busyTimes: 5_000,
    /** Number of events that a feed reads at a time. */
    feedPage: 200,
    /** Days during which a past event stays in a feed. */
    feedDays: 365,
  },
} as const;
