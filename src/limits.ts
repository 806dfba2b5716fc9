/** All limits of the platform, grouped by area. */
export const limits = {
  /** Requests and responses of all facades. */
  http: {
    /** Bytes of a request body without attachments (GraphQL and MCP). */
    jsonBody: 4 * 1024 * 1024,
    /** Bytes of a form on our own pages. */
    formBody: 16 * 1024,
    /** Minimum bytes of a large request body, which is parsed in a worker thread. */
    largeBody: 256 * 1024,
    /** Bytes of all large bodies of authenticated callers in one process. */
    largeBodies: 256 * 1024 * 1024,
    /** Share of one workspace, in bytes. Its largest request fits. */
    largeBodiesOfOne: 128 * 1024 * 1024,
    /** Bytes of a body from an unauthenticated sender. */
    strangerBody: 1024 * 1024,
    /** Bytes of all such bodies in one process, except bodies within the next limit. */
    strangerBodies: 16 * 1024 * 1024,
    /** Bytes of a body that is not counted. A longer body must authenticate its sender within these bytes. */
    bodyHead: 16 * 1024,
    /** Values in a large JSON body. */
    values: 500_000,
    /** Nesting levels in a large JSON body. */
    depth: 200,
    /** Milliseconds that any body may take before its speed is checked. */
    bodyGrace: 10_000,
    /** Minimum average bytes per second after that. */
    bodyRate: 16 * 1024,
    /** Concurrent requests of one connection. Further pipelined requests wait. */
    pipelined: 16,
    /** Milliseconds for reading a request of any size. */
    requestTime: 900_000,
    /**
     * Milliseconds that a connection stays open without a request. Must exceed the keep-alive time of proxies, which is
     * one minute (nginx) or two (Caddy): if the server closes first, a request in transit fails.
     */
    idleTime: 130_000,
    /** Bytes of one JSON response from PostgreSQL. It can write 1 GB, but a JavaScript string holds half of that. */
    answerBytes: 64 * 1024 * 1024,
    /** Rows per chunk of a streamed response. A list with no more rows is not streamed. */
    streamedRows: 1_000,
    /** Rows with files per chunk of a streamed response. */
    streamedFiles: 2,
    /** Minimum bytes of a large response. */
    largeAnswer: 64 * 1024,
    /** Bytes of one workspace's large responses that wait for slow clients in one process. */
    answersOfOne: 128 * 1024 * 1024,
    /** Total for all workspaces. */
    answers: 512 * 1024 * 1024,
    /** Minimum bytes per second that a client must read of a large response. Slower clients are disconnected. */
    leastRate: 64 * 1024,
    /** Milliseconds before the minimum applies. */
    readerPause: 20_000,
    /** Concurrent streamed responses of one process. */
    cursors: 5,
    /** Milliseconds that a streamed response waits for its client. */
    cursorPause: 20_000,
    /** Characters of an error message, which may contain text of the caller. */
    refusalLength: 4_000,
    /** Seconds that a browser may cache a CORS preflight response. */
    preflightTime: 7_200,
    /** Milliseconds for running requests to finish when the process stops. */
    drainTime: 15_000,
  },
  /** The worker thread for work that would block the event loop. */
  thread: {
    /** Megabytes of its memory. */
    megabytes: 1_024,
    /** Milliseconds without work after which it ends. */
    idleTime: 10_000,
  },
  /** Contents of files. */
  blob: {
    /** Workspace keys cached by a process. */
    keys: 10_000,
  },
  /** Files that are uploaded before the record they belong to is written. */
  upload: {
    /** Bytes of a file. The same size fits into a call of an RPC client in base64. */
    fileBytes: 100_000_000,
    /** Bytes of files that one change stores in fields of records, where they are part of the row. */
    fieldBytes: 20_000_000,
    /** Bytes of all such files in one process. */
    fieldRoom: 200_000_000,
    /** Share of one workspace, in bytes. */
    fieldRoomOfOne: 60_000_000,
    /** Characters of a file name. */
    fileName: 255,
    /** Files of a user that no record uses yet, including uploads in progress. */
    files: 50,
    /** Total bytes of these files. */
    bytes: 500_000_000,
    /** Total bytes of these files for all users of a workspace. */
    workspaceBytes: 5_000_000_000,
    /** Hours after which an unused file is deleted. */
    hours: 24,
  },
  /** Calls of operations through any facade. */
  call: {
    /** Milliseconds that loops of requests use in one iteration of the event loop before they yield. */
    slice: 10,
    /**
     * List items in the arguments of an expensive call. Such calls of a workspace run one at a
     * time.
     */
    heavyItems: 100,
    /** Waiting expensive calls of one workspace in one process. */
    heavyWaiting: 100,
    /** Nesting levels in the arguments of a call by name. */
    depth: 100,
    /** Keys in the context of such a call. */
    contextKeys: 1_000,
    /** Characters of a number in text form. */
    numberLength: 40,
    /** Requests of a caller that share one statement. */
    together: 32,
    /** Operations in one request that checks whether the caller may call them. */
    askedOperations: 200,
    /** Changelog entries that are listed. */
    releaseNotes: 200,
    /** Milliseconds that such a shared statement waits for another transaction before each request runs separately. */
    sharedWait: 100,
    /** Bytes that each request of a shared statement writes. */
    sharedBytes: 64 * 1024,
    /** Characters of an idempotency key. */
    idempotencyKey: 256,
    /** Hours that a call with the same idempotency key gets the same response. */
    idempotencyHours: 24,
    /** Days that the audit trail is kept. */
    auditDays: 90,
    /** Minimum age in milliseconds before a line of the audit trail or the tool log is added to the hash chain. */
    sealAfter: 60_000,
  },
  /** Apps of workspaces. */
  app: {
    /** Rows that one step of an app's removal deletes. */
    removalStep: 500,
    /** Milliseconds of the longest pause between two steps. */
    removalPause: 500,
    /** Milliseconds that a request waits for the removal of an app. Then a worker continues. */
    removalWait: 5_000,
  },
  /** Exports and deletion of workspaces. */
  workspace: {
    /** Days that an exported archive can be downloaded. */
    exportDays: 7,
    /** Archives per workspace. A further one replaces the oldest. */
    exportsKept: 3,
    /** Exports that a workspace starts within 24 hours, including failed ones. */
    exportsPerDay: 5,
    /** Bytes of all archives of a workspace. */
    exportBytes: 20 * 1024 ** 3,
    /** Minutes that a download link is valid. */
    linkMinutes: 10,
    /** Default number of days between the deletion of a workspace and the removal of its data. */
    graceDays: 30,
    /** Maximum number of these days. */
    graceDaysMost: 365,
  },
  /** Invitations of users by email. */
  invitation: {
    /** Days that a link is valid. */
    days: 7,
    /** Pending invitations of a workspace. */
    waiting: 500,
    /** Invitations of a workspace in 24 hours. */
    perDay: 200,
    /** Emails per invitation. */
    mails: 10,
    /** Milliseconds between two of these emails. */
    pause: 60_000,
    /** Groups, and shared mailboxes, per invitation. */
    links: 100,
    /** Characters of a name. */
    name: 200,
    /** Days that a completed or expired invitation is kept. */
    keptDays: 365,
  },
  /** Data that a user interface stores for its users. */
  ui: {
    /** Saved views of a user. */
    views: 500,
    /** Characters of a view's name. */
    viewName: 200,
    /** Bytes each of a view's conditions, order, groups and client data. */
    viewBytes: 16 * 1024,
    /** Columns of a view. */
    columns: 100,
    /** Characters of a column's path. */
    columnPath: 200,
    /** Keys in the state of a user. */
    stateNames: 200,
    /** Total bytes of the state of a user. */
    stateBytes: 32 * 1024,
  },
  /** Notifications of users about long-running work. */
  notification: {
    /** Days that a notification is kept. */
    days: 90,
    /** Characters each of its title and its details. */
    details: 1_000,
    /** Notifications that one call marks as read by id. */
    read: 500,
  },
  /** Search for records of any model. */
  palette: {
    /** Models that are searched. */
    models: 12,
    /** Records per model. */
    rows: 10,
    /** Characters of the search text. */
    text: 100,
    /** Milliseconds after which models without a result are omitted. */
    time: 2_000,
  },
  /** Access overview for administrators. */
  access: {
    /** Users or models per page. */
    rows: 50,
  },
  /** Authentication and sign-in. */
  identity: {
    /** Milliseconds that a caller is cached. */
    age: 30_000,
    /** Milliseconds that the rights and rules of a workspace are cached if an invalidation is lost. */
    catalogAge: 300_000,
    /** Callers, workspaces and catalogs, each, that a process caches. */
    entries: 10_000,
    /**
     * Sets of models that a process caches for workspaces without all apps. Workspaces with the same apps share a set.
     */
    registries: 64,
    /** Estimated bytes of all cached catalogs. Parts shared by workspaces count once. */
    catalogBytes: 128 * 1024 * 1024,
    /** Concurrently valid keys that a user may create through the record API. */
    liveKeys: 10,
    /** Hours that a replaced key may stay valid. */
    rotationHours: 720,
    /** Days that a session lives. */
    sessionDays: 14,
    /** Stored characters of a browser's user agent. */
    userAgent: 300,
    /** Sessions of a user that are listed. */
    sessionsShown: 100,
    /** Failed sign-ins of one user from one address before a cooldown. */
    loginFailures: 5,
    /** Milliseconds of the first cooldown. Each further failure doubles it. */
    loginPause: 10_000,
    /** Milliseconds of the longest cooldown. */
    loginPauseMost: 900_000,
    /** Failed sign-ins from one address, for any users of a workspace, before a cooldown. */
    sourceFailures: 50,
    /** Failed sign-ins from an IPv6 /48 before a cooldown. It has 65,536 addresses, because each /64 counts as one. */
    siteFailures: 200,
    /** Milliseconds of the first cooldown. Each further failure doubles it. */
    sourcePause: 1_000,
    /** Milliseconds of the longest cooldown. */
    sourcePauseMost: 60_000,
    /** Failed sign-ins of one user, from any addresses, before responses are delayed. */
    userFailures: 20,
    /** Milliseconds that each further failure adds to the delay. */
    userDelay: 100,
    /** Milliseconds of the longest delay. */
    userDelayMost: 3_000,
    /** Milliseconds without a failure after which failures are forgotten. */
    failureTime: 3_600_000,
    /** Failures of a workspace with their own line in the audit trail. Further failures are summarized. */
    auditedFailures: 1_000,
    /** Invalid keys from one address before responses are delayed. */
    keyFailures: 50,
    /** Milliseconds of that delay. */
    keyDelay: 1_000,
    /** Concurrently delayed requests. */
    delayed: 1_000,
    /** Passwords that one process hashes concurrently. */
    hashes: 2,
    /** Passwords waiting to be hashed. */
    hashQueue: 60,
    /** Share of one address. */
    hashQueueOfOne: 20,
    /** Milliseconds that a verified password is cached. */
    passwordAge: 3_600_000,
  },
  /** Programs that sign in for a user (OAuth). */
  oauth: {
    /** Seconds that an access token lives. */
    accessSeconds: 3_600,
    /** Seconds that a refresh token lives. Each use returns a new one. */
    refreshSeconds: 30 * 86_400,
    /** Seconds that a user's consent is valid. Then the program must ask again. */
    consentSeconds: 365 * 86_400,
    /** Seconds within which an authorization code can be redeemed. */
    codeSeconds: 60,
    /** Seconds for a person to sign in and decide. */
    decisionSeconds: 900,
    /** Seconds that a registered client without a consent is kept. */
    unusedSeconds: 86_400,
    /** Registered clients of one workspace without a consent. A new client replaces an old one. */
    unusedClients: 1_000,
    /** Milliseconds that a token is cached. */
    tokenAge: 5_000,
    /** Client registrations from one address in one workspace, per hour and process. */
    registrations: 100,
    /** Sign-ins that programs start from one address in one workspace, per minute and process. */
    authorizations: 30,
    /** Bytes of a request that starts one. */
    authorizationBytes: 4 * 1024,
    /** Other requests from one address to the authorization server of one workspace, per minute and process. */
    requests: 300,
    /** Authorization servers of workspaces that a process caches. */
    servers: 200,
    /** Bytes of a client metadata document. */
    documentBytes: 5 * 1024,
    /** Milliseconds for fetching that document. */
    documentTime: 2_500,
    /** Milliseconds before such a document is fetched again, for any result. */
    documentPause: 30_000,
    /** Such documents that a process remembers for that time. */
    documents: 1_000,
    /** Displayed characters of a client's name. */
    clientName: 100,
    /** Redirect URIs of a client. */
    redirects: 20,
    /** Characters of a client's URL or id, and of a redirect URI. */
    address: 2_000,
    /** Agents listed on a user's page. */
    listed: 100,
  },
  /** Statements and transactions. */
  sql: {
    /** Milliseconds of one statement of a request. */
    statementTime: 30_000,
    /** Milliseconds of one read that a client waits for. */
    readTime: 10_000,
    /** Milliseconds that a transaction may be idle. */
    idleInTransaction: 60_000,
    /** Milliseconds between two checks that notifications arrive. After two failed checks nothing is cached. */
    echoPause: 5_000,
    /** Milliseconds that a request waits for a connection. */
    connectTime: 10_000,
    /** Connections of a process reserved for the platform's own work. */
    reserved: 4,
    /** Statements and transactions of one workspace that wait for a connection in one process. */
    waiting: 1_000,
    /**
     * Total milliseconds of slow statements of one workspace until it gets fewer connections. The total decays over
     * time.
     */
    slowTime: 3_000,
    /** Kilobytes of temporary files of one connection. */
    temporaryFiles: 1024 * 1024,
    /** Attempts of a transaction that PostgreSQL aborts because of concurrent ones. */
    attempts: 6,
    /** Maximum pause in milliseconds after the first attempt. It grows by the same amount with each further attempt. */
    attemptPause: 20,
    /** Rows per statement if many rows are changed or deleted in batches. */
    batchRows: 5_000,
    /** Rows per statement if one call creates many rows. */
    sliceRows: 2_000,
    /** Characters of the values of all these rows. */
    sliceBytes: 4 * 1024 * 1024,
    /** Ids that a process reserves at a time for new rows of one table of a workspace, unless it needs more. */
    numbers: 1_000,
    /** Milliseconds after which unused ids are dropped, so that ids from several processes stay roughly in order. */
    numbersTime: 100,
    /** Workspace tables for which a process has reserved ids. */
    numberBlocks: 20_000,
    /** Prepared statements of a process. */
    prepared: 400,
    /** Characters of a prepared statement. */
    preparedLength: 8_192,
    /** Items of a list parameter of a prepared statement. A generic plan searches each item from the start. */
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
    /** Bytes of a request body, as in Odoo 19. */
    body: 128 * 1024 * 1024,
  },
  /** Classic RPC. */
  rpc: {
    /** Bytes of a request body. A file of 96 MB fits, in base64. */
    body: 128 * 1024 * 1024,
    /** Workspaces listed for unauthenticated clients, if the operator enables it. */
    databases: 1_000,
    /** Nesting levels of a message. */
    depth: 100,
    /** Elements of a message. */
    values: 500_000,
    /** XML attributes of a message. */
    attributes: 1_000,
    /** References such as `&amp;` in a message. */
    references: 2_000_000,
    /** Characters of a name in a message. */
    nameLength: 255,
    /** Nesting levels of a result. */
    resultDepth: 500,
  },
  /** GraphQL. */
  graphql: {
    /** Characters of a document. */
    document: 100_000,
    /** Parsed and validated documents in the cache. */
    documents: 5_000,
    /** Bytes of these documents, about 600 per token. */
    documentBytes: 32 * 1024 * 1024,
    /** Cached schemas of workspaces with custom models. */
    workspaceSchemas: 64,
    /** Nesting levels of a document. `edges`, `node` and `nodes` of a connection do not count. */
    depth: 12,
    /** Aliases in a document. */
    aliases: 30,
    /** Fields in a document. Fields of a fragment count for each use. */
    fields: 2_000,
    /**
     * Estimated number of values that a document requests. A field counts once per record. The number of records in a
     * list is `first`, `last` or `limit`, or the field's own `size`. Without these it is `pageDefault` at the root and
     * `listGuess` below.
     */
    cost: 500_000,
    /** Number of these values that a file in a field counts as, because its beginning is read to detect the type. */
    fileCost: 8,
    /** Estimated records of a nested list without `first`. */
    listGuess: 10,
    /** Objects and lists in the variables of a request. Variables of the type JSON do not count. */
    variableObjects: 5_000,
    /** Values in the variables of a request. Variables of the type JSON do not count. */
    variableValues: 200_000,
    /** Bytes of cached introspection responses, compressed. */
    introspectionBytes: 16 * 1024 * 1024,
    /** Tokens of a document. */
    tokens: 2_000,
    /** Rows of one list in the typed graph. */
    page: 500,
    /** Default number of rows in such a list. */
    pageDefault: 80,
    /** Conditions in all large domains of one request. The last domain may exceed it. */
    conditions: 5_000,
    /** Text searches in the conditions of one request. */
    matches: 10,
    /** Records in all nested lists of one request. */
    rows: 50_000,
    /** Records that one mutation of the typed graph creates, changes or deletes. */
    writes: 500,
    /** Inputs of one such mutation, including nested ones. */
    writeInputs: 2_000,
    /** Nesting levels of inputs. */
    writeDepth: 5,
    /** Groups of one request whose records are listed. */
    listedGroups: 100,
    /** Records that rules permit for a model read by Prisma, because their ids are part of the query. */
    ruled: 10_000,
  },
  /** Subscriptions. */
  live: {
    /** Open streams of one caller in one process. */
    perCaller: 50,
    /** Open streams of one workspace in one process. */
    perWorkspace: 2_000,
    /** Open streams of one process. */
    streams: 5_000,
    /** Topics of one stream. */
    topics: 20,
    /** Milliseconds between two checks for changes. */
    window: 100,
    /** Concurrent statements that read records for subscribers. */
    atOnce: 4,
    /** Minutes that changes are kept for subscribers that reconnect. */
    keepMinutes: 60,
    /** Statements that change records, for all workspaces of a process, between two checks. */
    statements: 5_000,
    /** Changed records of a model in one window that are reported to subscribers individually. */
    burst: 1_000,
    /** Records of one topic that are remembered as matching. */
    reach: 10_000,
    /** Records of all topics that a process remembers. */
    remembered: 500_000,
    /** Milliseconds of reading for subscribers between two pauses. */
    slice: 100,
    /** Changes waiting for a group before the group is told to read again instead. */
    backlog: 200,
    /** Milliseconds between two requests to a group to read again. */
    resyncPause: 5_000,
    /** Bytes buffered for a slow client. */
    buffer: 64 * 1024,
    /** Milliseconds after which a client that reads nothing is disconnected. */
    patience: 60_000,
    /** Milliseconds between two heartbeats to an idle client. */
    heartbeat: 15_000,
    /** Milliseconds that the start of a stream waits for older transactions. */
    startTime: 2_000,
  },
  /** MCP. Contract, "Limits". */
  mcp: {
    /** Records in one response. */
    rows: 500,
    /** Default number of records in a response. */
    rowsDefault: 50,
    /** Default number of records in a response of `find`. */
    found: 20,
    /** Groups in one response. */
    groups: 2_000,
    /** Default number of groups in a response. */
    groupsDefault: 100,
    /** Records that an agent may update without a confirmation. */
    unconfirmed: 100,
    /** Messages of one batch. */
    batch: 50,
    /** Mailbox messages that one call organizes. */
    organized: 100,
    /** Mailbox messages that one call organizes without a confirmation. */
    organizedUnasked: 25,
    /** Values of one completion, as specified by the protocol. */
    completions: 100,
    /** Characters of the text to complete that are used. */
    completed: 200,
    /** Models that one call lists. */
    models: 500,
    /** Nesting levels of arrays and objects in a message. A domain of the record API may have 60. */
    depth: 100,
    /** Milliseconds that a client may cache lists and discovery. */
    listTime: 3_600_000,
    /** Cached texts of tool lists in a process, one for each combination of rights in use. */
    listings: 200,
    /** Companies whose enabled mail features a process caches. */
    companies: 1_000,
    /** Milliseconds that they are cached. */
    featuresTime: 2_000,
  },
  /** Agents, which call the MCP server. */
  agent: {
    /** Default number of calls of an agent per minute. */
    callsPerMinute: 3_000,
    /** Highest daily budget, and number of calls per minute, that can be configured. */
    budget: 1_000_000_000,
    /** Messages that an agent sends per minute. */
    sendsPerMinute: 60,
    /** Calls of an agent per minute to tools that delete. */
    deletesPerMinute: 120,
    /** Calls of an agent per minute to tools that change modules. */
    modulesPerMinute: 10,
    /** Stored characters of a program's name. */
    clientName: 100,
    /** Minutes within which a preview can be confirmed with its token. */
    confirmMinutes: 10,
    /** Accepted characters of a confirmation token. */
    confirmLength: 1_000,
    /** Pending actions of a workspace that wait for a person. */
    heldWaiting: 100,
    /** Pending actions of one agent. */
    heldOfAgent: 20,
    /** Days that an action stays pending. */
    heldDays: 7,
    /** Minutes after which an approved action without an outcome counts as failed. */
    heldRunning: 15,
    /** Bytes of the arguments of a pending action. */
    heldBytes: 1024 * 1024,
    /** Displayed characters of a pending action. A longer action is not held. */
    heldPreview: 100_000,
    /** Characters of the reason why an action is rejected. */
    heldReason: 1_000,
    /** Days that the one-click key of an agent is valid. Contract, "Limits". */
    keyDays: 365,
    /** Calls of an agent that are shown together. */
    callsShown: 200,
    /** Names in one list that restricts what a connection can see. */
    narrowing: 100,
    /** Agents for which a process remembers that the last call was admitted. */
    known: 10_000,
    /** Milliseconds that it remembers this. */
    knownTime: 10_000,
    /** Milliseconds before an active agent is recorded again. */
    seenTime: 60_000,
    /** Calls within `rushSpan` after which read-only calls do not wait for their line in the log. */
    rush: 50,
    /** Milliseconds of the counted period. */
    rushSpan: 100,
    /** Milliseconds after which their lines are written. */
    rushDelay: 20,
    /** Lines that are not written yet. */
    rushMost: 500,
  },
  /** Conditions on records. */
  domain: {
    /** Conditions in one domain. */
    conditions: 1_000,
    /** Estimated cost of comparing a row with a caller's domain (`src/engine/domain/cost.ts`). */
    cost: 2_000,
    /** Characters of a pattern. PostgreSQL cannot be interrupted while it matches one text. */
    pattern: 500,
    /** Nesting levels of a domain. */
    depth: 60,
    /** Values in one `in` list, ids of one call, records of one create. */
    values: 100_000,
    /** Characters of JSON in a containment condition. */
    json: 2_000,
    /** Characters of a record rule, or of the options of a selection. */
    text: 128 * 1024,
    /** Terms of a relative date such as `today -30d`. */
    dateTerms: 20,
  },
  /** Reading and writing records. */
  record: {
    /**
     * Characters of a single-line text (`char`), unless the field has a lower limit. Longer texts belong in a `text`
     * field.
     */
    charLength: 1024 * 1024,
    /** Terms of one `order`. Each may use another table. */
    orderTerms: 20,
    /** Links that the paths of one `order` or grouping follow. Common prefixes count once. */
    pathJoins: 20,
    /** Fields in one path of an `order` or a grouping. */
    pathSteps: 8,
    /** Fields to group by in one call, and grouping sets. */
    groupings: 20,
    /** Groups for which one call also returns records or subgroups. */
    openGroups: 100,
    /** Lists, such as tags, among the fields to group by. A record is in a group for each item of each list. */
    listGroupings: 2,
    /** Aggregates in one call. */
    aggregates: 100,
    /** Groups in one response. Each has names, labels and conditions. */
    groups: 50_000,
    /** Fields that a workspace may add to one model. A PostgreSQL result has at most 1,664 columns. */
    customFields: 1_000,
    /** Properties that one record may define. */
    propertyDefinitions: 100,
    /** Nesting levels of a web_read specification. */
    specificationDepth: 10,
    /** Fields in a web_read specification. */
    specificationFields: 1_000,
    /** Lists in a specification that are nested below other relations. */
    nestedLists: 50,
    /** Records in all these lists. */
    nestedRows: 50_000,
    /** Records times contacts in one call that adds followers. */
    newFollowers: 100_000,
    /** Levels in the full name of a tag: the tag and its ancestors. */
    pathLevels: 50,
    /** Total bytes of files that one write stores in fields of several records. Each record stores its own copy. */
    fileBytes: 500_000_000,
    /** Bytes that defaults in the context (`default_x`) add to the records of one create. */
    defaultBytes: 64 * 1024 * 1024,
    /** Cached field descriptions of models, per workspace. */
    fieldAnswers: 100,
    /** Cached statements for one record, per caller. */
    keptStatements: 100,
    /** Fields of a cached statement. */
    keptFields: 60,
    /** Minutes within which changes of records can be undone. */
    undoMinutes: 60,
    /** Undo tokens of one user. */
    undoTokens: 20,
    /** Characters of an undo token. */
    undoToken: 100,
    /** Records that are undone together. */
    undoRows: 5_000,
    /** Bytes of undo data for one change. */
    undoBytes: 2 * 1024 * 1024,
    /** Bytes that the database needs for the undo data of one token. */
    undoTokenBytes: 8 * 1024 * 1024,
  },
  /** Sanitizing HTML. */
  html: {
    /**
     * Characters sanitized in one iteration of the event loop, and in one call. More are sanitized in a worker thread.
     */
    atOnce: 128 * 1024,
    /** Fixed cost of a text, in characters. */
    each: 32,
    /** Bytes of one text. */
    bytes: 2 * 1024 * 1024,
    /** Characters `<` in one text. */
    tags: 100_000,
    /** Nesting levels of elements. */
    depth: 2_000,
  },
  /** The email REST API. */
  rest: {
    /** Bytes of a request body. Attachments are base64 in JSON. */
    body: 40 * 1024 * 1024,
    /** Highest page number of any list. */
    pages: 1_000_000,
  },
  /** Emails. */
  email: {
    /** Emails in one request. */
    batch: 100,
    /** Newest emails included in a breakdown. */
    breakdownEmails: 20_000,
    /** Groups in a breakdown. */
    breakdownGroups: 200,
    /** Rows of an export. */
    export: 20_000,
    /** Workspaces for which a process remembers that they have active webhooks. */
    hearing: 10_000,
    /** Senders whose domains are cached. */
    senders: 1_000,
    /** Recipients of one email. */
    recipients: 50,
    /** Characters of a subject. */
    subject: 998,
    /**
     * Bytes of the HTML, the text and the decoded attachments of one email. SES accepts messages of 40 MB. Base64 adds
     * a third, and headers a little.
     */
    bytes: 28 * 1024 * 1024,
    /** Bytes of the stored content of all emails in one request. */
    requestBytes: 64 * 1024 * 1024,
    /** Characters of generated HTML after which emails for contacts are stored before more are generated. */
    madeAtOnce: 8 * 1024 * 1024,
    /** Attachments of one email. */
    attachments: 10,
    /** Bytes of all attachments of one email, before encoding. */
    attachmentBytes: 25 * 1024 * 1024,
    /** Attachment URLs that are fetched for one request. */
    fetches: 20,
    /** Concurrent fetches for one request. */
    fetchesAtOnce: 4,
    /** Characters of an attachment URL. */
    fetchPath: 2_048,
    /** Milliseconds of all fetches for one request. */
    fetchTime: 15_000,
    /** Redirects that one fetch follows. */
    fetchRedirects: 3,
    /** Concurrent requests of one workspace that fetch attachments, per process. */
    fetchingOfOne: 8,
    /** Total for all workspaces. */
    fetching: 64,
    /** Bytes fetched for one workspace that a process holds in memory. */
    fetchedBytesOfOne: 64 * 1024 * 1024,
    /** Total fetched bytes for all workspaces. */
    fetchedBytes: 256 * 1024 * 1024,
    /** Characters of an attachment's file name. */
    filename: 255,
    /** Maximum characters of HTML that get a generated text part. */
    textFromHtml: 1024 * 1024,
    /** Variables of one send. */
    variables: 500,
    /** Tags of one email. */
    tags: 50,
    /** Characters of a tag's name. */
    tagName: 100,
    /** Characters of a tag's text. */
    tagText: 500,
    /** Bytes of the metadata as JSON. */
    metadata: 16 * 1024,
    /** Custom headers of one send. */
    headers: 100,
    /** Bytes of the names and values of all these headers. */
    headerBytes: 64 * 1024,
    /** Emails per page of a list. */
    page: 50,
    /** Emails between two page checkpoints of a list. */
    markEvery: 1_000,
    /** Lists for which a process stores page checkpoints. */
    markedLists: 200,
    /** Milliseconds after which the checkpoints of a list are computed again. */
    markTime: 15 * 60_000,
    /** Milliseconds after which checkpoints are added for new emails. */
    markPause: 60_000,
    /** Bodies deleted in one statement. */
    bodyBatch: 2_000,
    /** Bytes of a message's source that the outbox shows. */
    outboxSource: 64 * 1024,
  },
  /** Mailboxes. */
  mail: {
    /** Bytes of a raw message: 25 MB of files in base64, and the rest of the message. */
    messageBytes: 40 * 1024 * 1024,
    /** Milliseconds of one attempt to parse a message. */
    parseTime: 10_000,
    /** Messages of a thread that can still be merged into another one. */
    mergedMessages: 5_000,
    /** Rows per page of a list of messages. */
    rows: 200,
    /** Messages with the search words that one statement examines. */
    searchRows: 4_500,
    /** Highest number of search results that are counted. */
    searchCount: 1_000,
    /** Search results that a page may skip. */
    searchOffset: 5_000,
    /** Characters of a message's text that searches and rules examine. */
    searchedText: 100_000,
    /** Texts that a phrase search examines in one time window. */
    searchTexts: 5_000,
    /** Messages that a search in the conditions of a list may match. */
    matched: 4_000,
    /** Milliseconds of a search. */
    searchTime: 2_000,
    /** Mailboxes of one search. */
    searchMailboxes: 50,
    /** Messages that one call changes. */
    changed: 1_000,
    /** Messages found by a search that one call changes. */
    changedFound: 20_000,
    /** Messages that one job changes. */
    changedByJob: 1_000_000,
    /** Maximum milliseconds that a job searches for them. */
    jobSearchTime: 60_000,
    /** Unfinished jobs of a user. */
    jobs: 20,
    /** Concurrent jobs of a process. */
    jobsAtOnce: 4,
    /** Concurrent jobs of one workspace in a process. */
    jobsAtOnceOfOne: 2,
    /** Milliseconds after which a job lets another waiting job run. */
    jobTurn: 30_000,
    /** Milliseconds after which another process takes over the job of a dead process. */
    jobLease: 20_000,
    /** Attempts without progress after which a job fails. */
    jobAttempts: 10,
    /** Days that a finished job is listed. */
    jobDays: 30,
    /** Number of values (`graphql.cost`) that the folders of a job count as. */
    jobCost: 5_000,
    /** Failed messages for which a job stores the reason. */
    jobFailures: 100,
    /** Minutes within which a change can be undone by its token. */
    undoMinutes: 60,
    /** Changes of a user that can be undone by token. */
    undoTokens: 50,
    /** Messages that one call deletes to empty Trash. */
    emptied: 100_000,
    /** Labels that one call adds or removes. */
    labelsAtOnce: 50,
    /** Labels of a mailbox. */
    labels: 500,
    /** Characters of a label's name. */
    labelName: 40,
    /** Folders of a mailbox, in addition to the standard ones. */
    folders: 500,
    /** Characters of a folder's name. */
    folderName: 100,
    /** Senders that a mailbox blocks. */
    blocked: 10_000,
    /** Blocked senders that are listed. */
    blockedListed: 500,
    /** Recipients that are suggested. */
    suggestions: 50,
    /** Drafts of a user in a mailbox. */
    drafts: 1_000,
    /** Characters of each recipient list of a draft. */
    recipientText: 40_000,
    /** Characters of a staged file's name. */
    fileName: 255,
    /** Staged files of a user. */
    stagedFiles: 200,
    /** Bytes of a user's staged files. */
    stagedBytes: 200 * 1024 * 1024,
    /** Hours after which a staged file is deleted. */
    stagedHours: 24,
    /** Characters of a signature. */
    signature: 100_000,
    /** Characters of a mailbox's display name. */
    senderName: 100,
    /** Bytes of a user's photo. */
    avatarBytes: 2 * 1024 * 1024,
    /** Additional addresses of a mailbox. */
    aliases: 100,
    /** Reserved local parts of addresses in a workspace. */
    reserved: 1_000,
    /** Mailboxes in the access overview. */
    accessMailboxes: 500,
    /** Members of a shared mailbox. */
    members: 500,
    /** Listed users who can be added to a shared mailbox. */
    candidates: 500,
    /** Shared mailboxes owned by a user who is not an administrator. */
    sharedOwned: 10,
    /** Number of values (`graphql.cost`) that the text of a message counts as. */
    textCost: 500,
    /** Number of values that a message's header counts as. It is read from the raw message. */
    headersCost: 500,
    /** Number of values that a message's HTML counts as. It is read from the raw message and sanitized. */
    htmlCost: 2_000,
    /** Number of values that a message's attachments count as. There may be hundreds. */
    attachmentsCost: 100,
    /** Bytes of message texts without quotes in one response. */
    shownTexts: 8 * 1024 * 1024,
    /** Characters of headers in one response. */
    shownHeaders: 8 * 1024 * 1024,
    /** Parts of messages in one response, including attachments. */
    shownParts: 10_000,
    /** Bytes of HTML in one response. */
    shownHtml: 4 * 1024 * 1024,
    /** Bytes of a displayed message header. */
    shownHeader: 1024 * 1024,
    /** Header fields that one field of a document requests by name. */
    headerNames: 50,
    /** Messages that a list of conversations examines to fill one page. */
    threadRows: 4_000,
    /** Highest number of messages in a conversation that are counted. */
    threadCount: 500,
    /** Messages of a conversation whose people are named. */
    threadPeople: 50,
    /** Number of values (`graphql.cost`) that a conversation counts as. */
    threadCost: 100,
    /** Conversations per page. */
    threads: 100,
    /** Displayed messages of a conversation. */
    threadMessages: 100,
    /**
     * Characters of all texts of a displayed conversation. They are divided among the messages, or each gets
     * `threadText`.
     */
    threadTexts: 10_000_000,
    /** Characters of a message's text in a long conversation. */
    threadText: 100_000,
    /** Messages of a conversation that are read as plain text. */
    plainMessages: 50,
    /** Characters of each of their texts. */
    plainEach: 4_000,
    /** Characters of all of their texts. */
    plainAll: 20_000,
    /** Bytes of a remote image in a message. */
    imageBytes: 10 * 1024 * 1024,
    /** Milliseconds for fetching a remote image. */
    imageTime: 10_000,
    /** Characters of its URL. */
    imageUrl: 2_048,
    /** Images that a process fetches concurrently. */
    imagesAtOnce: 64,
    /** Share of one workspace. */
    imagesAtOnceOfOne: 24,
    /** Share of one user. */
    imagesAtOnceOfUser: 12,
    /** Bytes of images that a process is fetching. */
    imagesFetched: 128 * 1024 * 1024,
    /** Share of one workspace, in bytes. */
    imagesFetchedOfOne: 48 * 1024 * 1024,
    /** Images that a process fetches for one user within `imageWindow`. */
    imagesOfUser: 1_000,
    /** Images that a process fetches for one workspace within `imageWindow`. */
    imagesOfOne: 20_000,
    /** Milliseconds of the window. */
    imageWindow: 600_000,
    /** Users and workspaces whose images one process counts. */
    imageCounts: 20_000,
    /** Images that a process caches. */
    imagesKept: 5_000,
    /** Total bytes in the cache. */
    imageBytesKept: 64 * 1024 * 1024,
    /** Milliseconds that an entry is cached. */
    imageAge: 3_600_000,
    /** File names of a message that is read as plain text. */
    plainFiles: 200,
    /** Characters of a message that are shown before it is sent. */
    previewText: 500,
    /** Domains whose state is listed. */
    domainStates: 100,
    /** Days for which the changes of a mailbox are listed. */
    changeDays: 30,
    /** Days that a mailbox remembers sent messages. Its rate limit uses the last hour. */
    sendLogDays: 2,
    /** Days that a mailbox remembers recipients of auto-replies. */
    autoReplyDays: 14,
    /** Bytes that another mail server may send in one call. */
    imapBytes: 96 * 1024 * 1024,
    /** Messages per file of an export. */
    exported: 3_000,
    /** Messages of one import. */
    imported: 50,
    /** Bytes of one imported message. */
    importedBytes: 25 * 1024 * 1024,
    /** Bytes of all messages of one import. */
    importBytes: 40 * 1024 * 1024,
    /** Messages that one call imports from another mail server. */
    imapBatch: 40,
    /** Milliseconds of such a call. Messages received until then are filed. */
    imapTime: 45_000,
    /** Milliseconds for the connection to the other server, including its greeting. */
    imapConnectTime: 10_000,
    /** Milliseconds for counting the messages in folders of the other server. */
    imapCountTime: 8_000,
    /** Listed folders of the other server. */
    imapFolders: 1_000,
    /** Characters of a user name and of a password for the other server. */
    imapCredential: 512,
    /** Characters of a folder path on the other server. */
    imapPath: 1_000,
    /** Connections of one process to other mail servers. */
    imapAtOnce: 16,
    /** Share of one workspace. */
    imapAtOnceOfOne: 4,
    /** Total recipients of a message in to, cc and bcc. */
    messageRecipients: 100,
    /** Messages that a mailbox sends in an hour. */
    sendsPerHour: 300,
    /** Characters of a sent message's subject. */
    subject: 998,
    /** Characters of a sent message's body, as text and as HTML, and of the text of a message that is read. */
    body: 524_288,
    /** Bytes of all attachments of a sent or staged message. */
    attachmentBytes: 25 * 1024 * 1024,
    /** Attachments of a sent message. */
    attachments: 100,
    /** Scheduled messages of a user. */
    outgoing: 200,
    /** Seconds within which sending can be undone. */
    undoSendSeconds: 120,
    /** Days ahead for which a message can be scheduled. */
    scheduledDays: 366,
    /** Scheduled messages that a process sends concurrently. */
    outgoingAtOnce: 8,
    /** Milliseconds after which another process takes over a message that one was sending. */
    outgoingLease: 60_000,
    /** Attempts to send a message before it waits for its author. */
    outgoingAttempts: 20,
    /** Milliseconds that a call waits for the provider's response. */
    transportWait: 10_000,
    /** Message-IDs in the References header of a reply. */
    references: 50,
    /** Domains whose owner a process caches. */
    homes: 10_000,
    /** Milliseconds that the owner is cached. */
    homeTime: 2_000,
    /** Mailboxes that a process files messages into concurrently. */
    filedAtOnce: 48,
    /** Share of one workspace. */
    filedAtOnceOfOne: 32,
    /** Messages that are filed into one mailbox concurrently. */
    filedTogether: 16,
    /** Concurrent transactions of a process that store incoming messages of one workspace. */
    keptAtOnce: 2,
    /** Bytes of messages stored in one transaction. */
    keptTogether: 1024 * 1024,
    /** Concurrent statements of a process that look up recipients of one workspace. */
    lookupsAtOnce: 2,
    /** Addresses looked up with one statement, unless one message has more. */
    lookedUpTogether: 300,
    /** Messages claimed with one statement. */
    filedClaim: 96,
    /** Messages filed in one transaction, unless one mailbox has more. */
    filedInOne: 64,
    /** Milliseconds that a worker without a heartbeat keeps its claimed messages. */
    filingLease: 30_000,
    /** Milliseconds that filing is attempted. Then the message waits for a person. */
    filingTime: 5 * 86_400_000,
    /** Incoming messages of a mailbox, not filed yet, that count toward its quota. */
    countedOnTheWay: 1_000,
    /** Attempts to parse a message during which a process crashed. Then it is filed without parsing. */
    suspectAttempts: 2,
    /** Messages that could not be filed, listed by a command. */
    failedListed: 500,
    /** Days that the record of an incoming message is kept after filing. */
    intakeDays: 30,
    /** Rules of a mailbox. */
    rules: 50,
    /** Messages of the Inbox that a rule preview examines. */
    rulePreview: 200,
    /** Samples in a rule preview. */
    ruleSamples: 5,
    /** Characters of an auto-reply's subject. */
    autoReplySubject: 150,
    /** Characters of its text. */
    autoReplyBody: 4_000,
    /** Auto-replies of a mailbox in an hour. */
    autoRepliesPerHour: 100,
  },
  /** Incoming mail from other servers (SMTP). */
  mx: {
    /** Concurrent sessions. */
    clients: 200,
    /** Concurrent sessions from one address. */
    clientsOfOne: 20,
    /** Recipients of one transaction. */
    recipients: 100,
    /** Unknown recipients after which a session is closed. */
    unknown: 20,
    /** Milliseconds that a session may be silent. */
    pause: 60_000,
    /** Bytes of all messages that are being received. */
    bytes: 256 * 1024 * 1024,
    /** Bytes from one address: two of the largest messages. */
    bytesOfOne: 80 * 1024 * 1024,
    /** Milliseconds within which a message must be complete. */
    dataTime: 600_000,
    /** Milliseconds for the DNS queries of one check of a message. */
    dnsTime: 5_000,
    /** DNS responses that a process caches. */
    dnsAnswers: 5_000,
    /** Total bytes in the cache. */
    dnsAnswerBytes: 4 * 1024 * 1024,
    /** Milliseconds that an entry is cached. */
    dnsAnswerTime: 60_000,
    /** Milliseconds for the spam filter. */
    spamTime: 2_000,
  },
  /** Templates. */
  template: {
    /** Characters of a name. */
    name: 255,
    /** Total bytes of HTML and text. */
    bytes: 2 * 1024 * 1024,
    /** Variables and comments in one text. */
    tags: 20_000,
    /** Characters of all templates that a process caches. */
    cache: 32 * 1024 * 1024,
    /** Templates that a process caches. */
    entries: 2_000,
  },
  /** Images in emails, served by this server. */
  picture: {
    /** Bytes of an image that can be resized. */
    bytes: 20 * 1024 * 1024,
    /** Pixels of an image, according to its header. Larger images are never decoded. */
    pixels: 25_000_000,
    /** Seconds for resizing an image. */
    seconds: 10,
    /** Images waiting to be resized in one process. They are resized one at a time. */
    waiting: 100,
    /** Share of one workspace. */
    waitingOfOne: 20,
    /** Share of one user. All anonymous visitors of a workspace count as one user. */
    waitingOfUser: 10,
    /** Bytes of resized images that a process caches. */
    kept: 64 * 1024 * 1024,
    /** Resized images that a process caches. */
    entries: 5_000,
    /** Bytes at the start of an image that are searched for its dimensions. */
    head: 256 * 1024,
    /** Images whose dimensions a process caches. */
    heads: 20_000,
  },
  emailImage: {
    /** Bytes of an uploaded image. In base64 it fits into a request. */
    bytes: 2 * 1024 * 1024,
    /** Bytes of all images of a workspace. */
    workspaceBytes: 512 * 1024 * 1024,
    /** Images of a workspace. */
    perWorkspace: 5_000,
    /** Characters of a name. */
    name: 200,
  },
  /** Websites. */
  site: {
    /** Characters of a view's markup. */
    arch: 256 * 1024,
    /** Elements and texts of a view. */
    nodes: 20_000,
    /** Attributes of one element. */
    attributes: 50,
    /** Nesting levels of elements, and of parts of an expression. */
    depth: 60,
    /** Characters of an expression. */
    expression: 500,
    /** Characters of a text that an expression searches with `in`. */
    searched: 1_000,
    /** Nesting levels of template calls. */
    calls: 10,
    /** Total templates that a page calls. */
    templates: 100,
    /** Total characters of their markup. */
    called: 1024 * 1024,
    /** Steps for rendering a page. */
    steps: 200_000,
    /** Characters of a rendered page, including text rendered into values. */
    output: 2 * 1024 * 1024,
    /** Milliseconds for rendering a page. */
    renderTime: 250,
    /** Images of a page whose dimensions are looked up. */
    pictures: 100,
    /** Record lists in one view. */
    queries: 5,
    /** Record lists in a page and all views that it calls. */
    pageQueries: 20,
    /** Records of such a list. */
    listed: 100,
    /** Characters of markup that a process caches in compiled form. */
    compiled: 16 * 1024 * 1024,
    /** Bytes of finished pages that a process caches. */
    finished: 64 * 1024 * 1024,
    /** Finished pages that a process caches. */
    entries: 10_000,
    /** Milliseconds that a finished page is cached if an invalidation is lost. */
    age: 60_000,
    /** Characters of the name of a page or a menu item. */
    name: 255,
    /** Characters of a URL. */
    url: 1_000,
    /** Pages of a website, including shared ones. */
    pages: 5_000,
    /** URLs in a website's sitemap for search engines. */
    sitemapLinks: 50_000,
    /** Characters of a sitemap. */
    sitemap: 4 * 1024 * 1024,
    /** Languages of a website whose pages refer to each other in the sitemap. */
    sitemapLanguages: 20,
    /** Menu items of a website. */
    menus: 500,
    /** Versions of a view that are kept. */
    versions: 100,
    /** Characters of a form field. */
    formField: 5_000,
    /** Fields of a form. */
    formFields: 30,
    /** Minimum milliseconds that a person needs between opening and sending a form. */
    formHaste: 2_000,
    /** Milliseconds after which a form must be opened again. */
    formAge: 24 * 3_600_000,
    /** Forms that one address may send within `formWindow`. */
    formSends: 10,
    /** Milliseconds of the window. */
    formWindow: 600_000,
    /** Milliseconds that the website of a host is cached. */
    hostAge: 30_000,
    /** Addresses counted in one process. */
    formSources: 10_000,
  },
  /** The queue of emails. */
  delivery: {
    /** Milliseconds that a worker leases an email. */
    leaseTime: 60_000,
    /** Emails of one workspace that are claimed at a time. */
    claimPerWorkspace: 50,
    /** Workspaces with due mail that one poll finds. */
    workspacesAtOnce: 64,
    /** Bytes of content above which an email is claimed without its content. */
    largeEmail: 64 * 1024,
    /**
     * Bytes of large content that a process holds at a time, and that it claims of one workspace. A larger email is
     * processed alone. A message uses up to nine times as much memory while it is composed and sent.
     */
    largeContent: 24 * 1024 * 1024,
    /** Bytes of the largest email's content as stored. Base64 adds a third. */
    largestEmail: 40 * 1024 * 1024,
    /** Emails that one process sends to the provider concurrently. */
    sendsAtOnce: 64,
    /** Concurrent emails for a slow provider whose rate needs more. The SES client has as many connections. */
    sendsAtOnceMost: 256,
    /** Senders, domains and configuration sets whose mail is paused because the provider rejected some of it. */
    outages: 10_000,
    /** Failed emails that one call queues again. */
    againAtOnce: 5_000,
    /** Characters of a search text for the reasons of failures. */
    reasonContains: 200,
    /** Hours after which an unsent email fails. */
    queueHours: 72,
  },
  /** SMTP submission. */
  submission: {
    /** Bytes of one message. */
    message: 28 * 1024 * 1024,
    /** Bytes of the header of a message or of one of its parts. */
    header: 192 * 1024,
    /** Total bytes of its address headers. */
    addresses: 64 * 1024,
    /** Bytes of all messages that a process reads concurrently. */
    bytes: 128 * 1024 * 1024,
    /** Bytes of all copies of a message that hides its recipients from each other. */
    copies: 64 * 1024 * 1024,
    /** Sessions of one process. */
    clients: 500,
    /** Unauthenticated sessions from one address. */
    strangersOfOne: 50,
    /** Milliseconds within which a session must authenticate. */
    signInTime: 60_000,
    /** Milliseconds that a session may be silent. */
    pause: 60_000,
  },
  /** Requests from Amazon SNS. */
  sns: {
    /** Bytes of a body. A message has at most 256 kB, but grows as JSON within JSON. */
    body: 1024 * 1024,
    /** Certificates that are cached. */
    certificates: 20,
    /** Milliseconds before a failed certificate download is retried. */
    certificatePause: 10_000,
    /** Milliseconds of one fetch. */
    time: 10_000,
  },
  /** Events from the email provider. */
  provider: {
    /** Events stored or applied in one transaction. */
    eventBatch: 200,
    /** Concurrent statements of a process that store events. */
    eventBatches: 4,
    /** Events that a process has received, but not applied. Further events wait for the job that runs every minute. */
    eventBacklog: 2_000,
    /** Days within which a duplicate event is recognized. */
    eventDays: 14,
    /** Days that an event waits for its email. */
    waitDays: 3,
    /** Minutes that a waiting event is retried every minute. Later it is retried every hour. */
    youngMinutes: 30,
  },
  /** Checks of sending domains. */
  sendingDomain: {
    /** New unverified domains checked in one run. */
    checkedYoung: 30,
    /** Older unverified domains checked in one run. */
    checkedOld: 10,
    /** Verified domains checked in one run. */
    checkedVerified: 20,
    /** Domains with a pending DNS record for a new key that are checked in one run. */
    checkedRotated: 20,
    /** Milliseconds between two checks of such a domain. */
    checkRotated: 10 * 60_000,
    /** Days that the DNS record of a replaced key stays listed. */
    formerKeyDays: 7,
    /** Milliseconds that a domain counts as new. */
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
    /** Addresses added in one call. */
    batch: 1_000,
    /** Rows of an export. */
    export: 100_000,
    /** Soft bounces of one address whose times are stored. This is also the highest value of SOFT_BOUNCE_LIMIT. */
    softBounces: 99,
  },
  /** Webhooks. */
  webhook: {
    /** Webhooks of one workspace. */
    perWorkspace: 50,
    /** Calls shown with the email they are about. */
    callsOfEmail: 200,
    /** Webhooks that a process calls concurrently. */
    atOnce: 100,
    /** Share of one workspace. */
    atOnceOfOne: 10,
    /** Concurrent calls of a process. */
    callsAtOnce: 300,
    /** Concurrent calls for one workspace. */
    callsAtOnceOfWorkspace: 80,
    /** Concurrent calls of one webhook. */
    callsAtOnceOfWebhook: 40,
    /** Milliseconds of a call. */
    time: 10_000,
    /** Milliseconds that a process leases a webhook. */
    lease: 60_000,
    /** Attempts of one call. */
    attempts: 6,
    /** Milliseconds of the pause after the first attempt. It doubles with each further attempt. */
    pause: 5_000,
    /** Maximum delay in milliseconds that a receiver may request before the next attempt. */
    retryAfter: 24 * 60 * 60 * 1000,
    /** Consecutive permanently failed calls until a webhook is disabled. */
    failures: 30,
    /** Stored characters of a response. */
    answer: 4_096,
    /** Characters of a URL. */
    url: 2_048,
    /** Hours that calls are also signed with the previous secret. */
    secretHours: 24,
    /** Days that a call waits, behind others or while its webhook is disabled, before it is discarded. */
    waitDays: 3,
    /** Days that calls are kept. */
    callDays: 30,
  },
  /** Contacts of the email API. */
  contact: {
    /** Characters of a name. */
    name: 255,
    /** Characters of a property. */
    property: 10_000,
    /** Characters of a property's name. */
    propertyName: 100,
    /** Properties of one contact. */
    properties: 200,
    /** Contacts per page. */
    page: 5_000,
    /** Contacts in one request that adds or deletes many. */
    bulk: 1_000,
    /** Bytes of a CSV file of contacts. */
    fileBytes: 256 * 1024 * 1024,
    /** Rows of such a file. */
    fileRows: 200_000,
    /** Columns of such a file that the caller names. */
    fileColumns: 1_000,
    /** Bytes of one of its rows. */
    rowBytes: 64 * 1024,
    /** Reported errors in such a file. */
    fileErrors: 1_000,
    /** Milliseconds within which a subscription can be confirmed. */
    confirmTime: 7 * 24 * 3_600_000,
  },
  /** Campaigns. */
  campaign: {
    /** Campaigns per page. */
    page: 30,
    /** Milliseconds that the scheduled time of a new campaign may be in the past. */
    past: 5 * 60_000,
    /** Contacts of one batch. */
    batch: 100_000,
    /** Subscribed contacts that a preview counts. */
    counted: 100_000,
    /** Minutes between two batches. */
    window: 7 * 24 * 60,
    /** Emails created in one transaction. */
    chunk: 500,
    /** Campaign emails of a workspace that may wait in the queue before more are created. */
    ahead: 50_000,
    /** Blocks in one text of the editor. */
    blocks: 10_000,
    /** Nesting levels of such blocks. */
    blockDepth: 50,
  },
  /** The helpdesk. */
  helpdesk: {
    /** Bytes of a message's HTML that is stored. For a longer message only the text is stored. */
    html: 256 * 1024,
    /** Characters of the text of such a message. */
    text: 100_000,
    /** Characters of a subject. */
    subject: 500,
    /** Files of a message that are stored with its ticket. */
    files: 30,
    /** Total bytes of these files. */
    fileBytes: 25 * 1024 * 1024,
    /** Message-IDs in a reply that are used to find its ticket. */
    answers: 100,
    /** Working hours within which a ticket has to reach a stage. */
    slaHours: 4_000,
    /** SLA policies of a team. */
    policies: 100,
    /** Missed deadlines that one transaction processes. */
    overdue: 50,
    /** Newest messages shown on a ticket's page. */
    pageMessages: 100,
    /** Characters of each of these messages. */
    pageText: 20_000,
    /** Characters of a reply on that page, and of a rating's comment. */
    pageAnswer: 10_000,
    /** Bytes of a form on that page. */
    pageForm: 64 * 1024,
    /** Replies on the page of one ticket in an hour. */
    pageAnswers: 20,
    /** Message-IDs of a ticket that a reply refers to. */
    references: 20,
  },
  /** Calendars. */
  calendar: {
    /** Initial events of a recurrence, as clients of this API expect. Half as many follow over time. */
    occurrences: 720,
    /** Total events of a recurrence, including past ones. */
    reach: 14_400,
    /** Days, weeks, months or years between two occurrences. */
    interval: 999,
    /** Attendees of an event. */
    attendees: 200,
    /** Total attendees of a recurrence's initial events. */
    places: 20_000,
    /**
     * Characters of the description in an email to attendees. The attached calendar file contains the full description.
     */
    described: 5_000,
    /** Events whose reminders are sent in one transaction. */
    reminded: 50,
    /** Bytes of a reply to an invitation. */
    replyBytes: 256 * 1024,
    /** Events in one reply. */
    replyEvents: 20,
    /** Bytes of an imported calendar file. */
    importBytes: 1024 * 1024,
    /** Events in such a file. */
    importEvents: 500,
    /** Milliseconds for parsing such a file or a reply. */
    readTime: 10_000,
    /** Properties in such a file or a reply. */
    properties: 20_000,
    /** Parameters of one property. */
    parameters: 1_000,
    /** Times in such a file, including excluded occurrences. */
    times: 5_000,
    /** Occurrences of all recurrences in an imported file. */
    importOccurrences: 10_000,
    /** Recurrences that one call creates. */
    recurrences: 20,
    /** Contacts whose busy times are requested at once. */
    busyPartners: 100,
    /** Days of such a request. */
    busyDays: 93,
    /** Busy times in the response. */
    busyTimes: 5_000,
    /** Events that a feed reads at a time. */
    feedPage: 200,
    /** Days that a past event stays in a feed. */
    feedDays: 365,
  },
} as const;
