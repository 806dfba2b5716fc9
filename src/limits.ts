/** Every limit of the platform, by what it bounds. */
export const limits = {
  /** Requests and answers of every door. */
  http: {
    /** Bytes of a request body where nothing is attached: GraphQL and MCP. */
    jsonBody: 4 * 1024 * 1024,
    /** Bytes of a form of our own pages. */
    formBody: 16 * 1024,
    /** Bytes from which a request body counts as large: it is parsed beside the event loop. */
    largeBody: 256 * 1024,
    /** Bytes of all large bodies of known callers that one process holds at the same time. */
    largeBodies: 256 * 1024 * 1024,
    /** Of these, bytes of one workspace: its largest request fits. */
    largeBodiesOfOne: 128 * 1024 * 1024,
    /** Bytes of a body whose sender is not known. */
    strangerBody: 1024 * 1024,
    /** Bytes of all such bodies that one process holds at the same time, but for those of the next limit. */
    strangerBodies: 16 * 1024 * 1024,
    /** Bytes of a body that is read without counting it, and by which a longer one has to prove its sender. */
    bodyHead: 16 * 1024,
    /** Values of a large JSON body. */
    values: 500_000,
    /** Levels of a large JSON body. */
    depth: 200,
    /** Milliseconds that the sender of a body may take in any case. */
    bodyGrace: 10_000,
    /** Bytes a second that it has to send on the average after that. */
    bodyRate: 16 * 1024,
    /** Requests of one connection that run at the same time; more that come before they are answered wait. */
    pipelined: 16,
    /** Milliseconds of reading a request, whatever its size. */
    requestTime: 900_000,
    /**
     * Milliseconds a connection stays open without a request. Proxies use theirs again for a minute (nginx) or two
     * (Caddy): one that is closed first fails the request that is already on its way.
     */
    idleTime: 130_000,
    /** Bytes of one answer in JSON, as Postgres writes it. It can write 1 GB; a string of ours holds half of that. */
    answerBytes: 64 * 1024 * 1024,
    /** Rows of one piece of a streamed answer. A list of no more rows is answered at once. */
    streamedRows: 1_000,
    /** The same of rows that hold files. */
    streamedFiles: 2,
    /** Bytes from which an answer counts as large. */
    largeAnswer: 64 * 1024,
    /** Bytes of the large answers of one workspace that wait for their readers in one process. */
    answersOfOne: 128 * 1024 * 1024,
    /** The same of all workspaces. */
    answers: 512 * 1024 * 1024,
    /** Bytes a second that the reader of a large answer takes at least, or is cut off. */
    leastRate: 64 * 1024,
    /** Milliseconds before that counts. */
    readerPause: 20_000,
    /** Streamed answers of one process at the same time. */
    cursors: 5,
    /** Milliseconds a streamed answer waits for its reader. */
    cursorPause: 20_000,
    /** Characters of a refusal: parts of it may be the caller's own. */
    refusalLength: 4_000,
    /** Seconds a browser may keep what a page of another origin may ask. */
    preflightTime: 7_200,
    /** Milliseconds that running requests get when the process is asked to stop. */
    drainTime: 15_000,
  },
  /** The thread that parses beside the event loop. */
  thread: {
    /** Megabytes of its memory. */
    megabytes: 1_024,
    /** Milliseconds after which it ends when there is nothing to do. */
    idleTime: 10_000,
  },
  /** Contents of files. */
  blob: {
    /** Keys of workspaces that a process keeps. */
    keys: 10_000,
  },
  /** Files that are uploaded before the record that they are kept with is written. */
  upload: {
    /** Bytes of a file: as much as fits into a call of an RPC client in base64. */
    fileBytes: 100_000_000,
    /** Bytes of those that one change puts into fields of records, where they are part of their rows. */
    fieldBytes: 20_000_000,
    /** Bytes of all these that one process holds at the same time. */
    fieldRoom: 200_000_000,
    /** Of these, bytes of one workspace. */
    fieldRoomOfOne: 60_000_000,
    /** Characters of its name. */
    fileName: 255,
    /** Files of a user that no record uses yet, those on their way among them. */
    files: 50,
    /** Their bytes. */
    bytes: 500_000_000,
    /** The same of all users of a workspace. */
    workspaceBytes: 5_000_000_000,
    /** Hours after which such a file is dropped. */
    hours: 24,
  },
  /** Calls of verbs, whichever door they come through. */
  call: {
    /** Milliseconds that the loops of requests take of one turn of the event loop before others have theirs. */
    slice: 10,
    /** Items of a list in the arguments from which on the call waits for its turn in its workspace. */
    heavyItems: 100,
    /** Such calls of one workspace that wait in one process. */
    heavyWaiting: 100,
    /** Levels of lists and objects in the arguments of a call by name. */
    depth: 100,
    /** Keys of the context of such a call. */
    contextKeys: 1_000,
    /** Characters of a number that comes as text. */
    numberLength: 40,
    /** Requests of a caller that share one statement. */
    together: 32,
    /** Operations of which one request asks whether the caller may call them. */
    askedOperations: 200,
    /** Entries of the changelog that are listed. */
    releaseNotes: 200,
    /** Milliseconds for which such a statement waits for another transaction before each request goes alone. */
    sharedWait: 100,
    /** Bytes of what each of them writes. */
    sharedBytes: 64 * 1024,
    /** Characters of an idempotency key. */
    idempotencyKey: 256,
    /** Hours for which a call with the same idempotency key gets the same answer. */
    idempotencyHours: 24,
    /** Days the audit trail is kept. */
    auditDays: 90,
    /** Milliseconds after which a line of the audit trail or of the tool log is sealed at the earliest. */
    sealAfter: 60_000,
  },
  /** Apps of workspaces. */
  app: {
    /** Rows that one step of the removal of an app deletes at most. */
    removalStep: 500,
    /** Milliseconds of the longest pause between two steps. */
    removalPause: 500,
    /** Milliseconds in which a request that removes an app waits for its end; a worker goes on. */
    removalWait: 5_000,
  },
  /** Exports of workspaces, and their deletion. */
  workspace: {
    /** Days that an archive of a workspace is kept for its download. */
    exportDays: 7,
    /** Archives that a workspace keeps; a further one takes the place of the oldest. */
    exportsKept: 3,
    /** Exports that a workspace begins within 24 hours, those that fail as well. */
    exportsPerDay: 5,
    /** Bytes of all archives that a workspace keeps. */
    exportBytes: 20 * 1024 ** 3,
    /** Minutes that the link to it is good for. */
    linkMinutes: 10,
    /** Days between the deletion of a workspace and its end, where the operator does not say. */
    graceDays: 30,
    /** Of these, at most. */
    graceDaysMost: 365,
  },
  /** Invitations of users by mail. */
  invitation: {
    /** Days that a link is good for. */
    days: 7,
    /** Invitations of a workspace that wait at the same time. */
    waiting: 500,
    /** Invitations of a workspace in 24 hours. */
    perDay: 200,
    /** Mails of one invitation. */
    mails: 10,
    /** Milliseconds between two of them. */
    pause: 60_000,
    /** Groups, and shared mailboxes, of one. */
    links: 100,
    /** Characters of a name. */
    name: 200,
    /** Days that one that is over is kept. */
    keptDays: 365,
  },
  /** What a user interface keeps for its users. */
  ui: {
    /** Views that a user saves. */
    views: 500,
    /** Characters of the name of one. */
    viewName: 200,
    /** Bytes of its conditions, of its order, of its groups and of what a client keeps with it, each. */
    viewBytes: 16 * 1024,
    /** Its columns. */
    columns: 100,
    /** Characters of the path of one. */
    columnPath: 200,
    /** Names of the state of a user. */
    stateNames: 200,
    /** Bytes of it. */
    stateBytes: 32 * 1024,
  },
  /** What users hear of their long work. */
  notification: {
    /** Days that a notification is kept. */
    days: 90,
    /** Characters of its title and of its details. */
    details: 1_000,
    /** Notifications that one call marks as read by their ids. */
    read: 500,
  },
  /** Looking for records of any model. */
  palette: {
    /** Models that are searched. */
    models: 12,
    /** Records of one. */
    rows: 10,
    /** Characters that are looked for. */
    text: 100,
    /** Milliseconds after which what has not answered is left out. */
    time: 2_000,
  },
  /** Who may do what, as it is shown to administrators. */
  access: {
    /** Users, or models, of a page. */
    rows: 50,
  },
  /** Who calls, and signing in. */
  identity: {
    /** Milliseconds a caller is known without asking the database again. */
    age: 30_000,
    /** Milliseconds the rights and rules of a workspace are known, should the news of a change be lost. */
    catalogAge: 300_000,
    /** Callers, workspaces and catalogs of each kind that a process keeps in memory. */
    entries: 10_000,
    /** Sets of models that a process keeps for workspaces without all apps; those with the same apps share one. */
    registries: 64,
    /** Bytes of memory of all catalogs, by estimate. What workspaces have in common counts once. */
    catalogBytes: 128 * 1024 * 1024,
    /** Keys of one user that live at one time, when it makes them itself through the record API. */
    liveKeys: 10,
    /** Hours that a key may go on working once another has replaced it. */
    rotationHours: 720,
    /** Days a session lives. */
    sessionDays: 14,
    /** Characters that are kept of what a browser calls itself. */
    userAgent: 300,
    /** Sessions of a user that are listed. */
    sessionsShown: 100,
    /** Failed sign-ins of one user from one address before a pause. */
    loginFailures: 5,
    /** Milliseconds of that pause; each further failure doubles it. */
    loginPause: 10_000,
    /** Milliseconds of the longest one. */
    loginPauseMost: 900_000,
    /** Failed sign-ins from one address, of whatever users of a workspace, before a pause. */
    sourceFailures: 50,
    /** The same of an IPv6 /48, which has 65,536 such addresses: each is a /64. */
    siteFailures: 200,
    /** Milliseconds of that pause; each further failure doubles it. */
    sourcePause: 1_000,
    /** Milliseconds of the longest one. */
    sourcePauseMost: 60_000,
    /** Failed sign-ins of one user, from whatever addresses, before each attempt is answered later. */
    userFailures: 20,
    /** Milliseconds that each further failure adds. */
    userDelay: 100,
    /** Milliseconds of the longest delay. */
    userDelayMost: 3_000,
    /** Milliseconds after which failures are forgotten when none has come. */
    failureTime: 3_600_000,
    /** Failures of a workspace that each have their line in the audit trail; further ones are summed up. */
    auditedFailures: 1_000,
    /** Wrong keys from one address before they are answered later. */
    keyFailures: 50,
    /** Milliseconds of that delay. */
    keyDelay: 1_000,
    /** Requests that are answered later at the same time. */
    delayed: 1_000,
    /** Passwords hashed at the same time by one process. */
    hashes: 2,
    /** Passwords that wait for it. */
    hashQueue: 60,
    /** Of these, passwords from one address. */
    hashQueueOfOne: 20,
    /** Milliseconds for which a password is known to fit the hash that is stored. */
    passwordAge: 3_600_000,
  },
  /** Programs that sign in for a user (OAuth). */
  oauth: {
    /** Seconds an access token lives. */
    accessSeconds: 3_600,
    /** Seconds a refresh token lives; each use gives a new one. */
    refreshSeconds: 30 * 86_400,
    /** Seconds for which a user consents: then the program asks again. */
    consentSeconds: 365 * 86_400,
    /** Seconds an authorization code can be redeemed. */
    codeSeconds: 60,
    /** Seconds a person may take to sign in and decide. */
    decisionSeconds: 900,
    /** Seconds a registered client is kept that no user has consented to. */
    unusedSeconds: 86_400,
    /** Registered clients of one workspace that no user has consented to; a new one takes the place of an old one. */
    unusedClients: 1_000,
    /** Milliseconds for which a token is known without asking the database again. */
    tokenAge: 5_000,
    /** Registrations of clients from one address in one workspace, per hour and process. */
    registrations: 100,
    /** Sign-ins that programs begin from one address in one workspace, per minute and process. */
    authorizations: 30,
    /** Bytes of a request that begins one. */
    authorizationBytes: 4 * 1024,
    /** Other requests from one address to the authorization server of one workspace, per minute and process. */
    requests: 300,
    /** Workspaces whose authorization server a process keeps ready. */
    servers: 200,
    /** Bytes of the document that describes a client. */
    documentBytes: 5 * 1024,
    /** Milliseconds for which that document is waited for. */
    documentTime: 2_500,
    /** Milliseconds for which no such document is asked for again, whatever was answered. */
    documentPause: 30_000,
    /** Such documents that a process remembers for that time. */
    documents: 1_000,
    /** Characters of the name of a client, as it is shown. */
    clientName: 100,
    /** Redirect addresses of a client. */
    redirects: 20,
    /** Characters of the address or id of a client, and of a redirect address. */
    address: 2_000,
    /** Agents that the page of a user lists. */
    listed: 100,
  },
  /** Statements and transactions. */
  sql: {
    /** Milliseconds of one statement of a request. */
    statementTime: 30_000,
    /** Milliseconds of one read that a client waits for. */
    readTime: 10_000,
    /** Milliseconds for which a transaction may be open and idle. */
    idleInTransaction: 60_000,
    /** Milliseconds between two proofs that notifications arrive; after two without one nothing is cached. */
    echoPause: 5_000,
    /** Milliseconds for which a request waits for a connection. */
    connectTime: 10_000,
    /** Connections of a process that requests leave to the platform's own work. */
    reserved: 4,
    /** Statements and transactions of one workspace that wait for a connection in one process. */
    waiting: 1_000,
    /**
     * Milliseconds that statements of one workspace may take longer than usual, in sum, until it gets fewer
     * connections. They run off with time.
     */
    slowTime: 3_000,
    /** Kilobytes of the temporary files of one connection. */
    temporaryFiles: 1024 * 1024,
    /** How often a transaction is tried that Postgres undoes because of others. */
    attempts: 6,
    /** Milliseconds of the longest pause after the first attempt; after each further one it is as much longer. */
    attemptPause: 20,
    /** Rows of one statement where many are changed or deleted in batches. */
    batchRows: 5_000,
    /** Rows of one statement where many are created by one call. */
    sliceRows: 2_000,
    /** Characters of the values of all these rows. */
    sliceBytes: 4 * 1024 * 1024,
    /** Ids that a process takes for the new rows of one table of a workspace at one time, unless it needs more. */
    numbers: 1_000,
    /** Milliseconds after which what it did not use is left: ids of several processes rise together up to that. */
    numbersTime: 100,
    /** Tables of workspaces that a process holds ids of. */
    numberBlocks: 20_000,
    /** Statements that a process has prepared at one time. */
    prepared: 400,
    /** Characters of a statement that is prepared. */
    preparedLength: 8_192,
    /** Values of a list that is a parameter of one: a plan for all lists searches each from its beginning. */
    preparedList: 200,
    /** How often a statement is met before it is prepared. */
    preparedAfter: 3,
    /**
     * Milliseconds after which the prepared statements are chosen again when all places are taken. No connection lives
     * longer, so its plans stay bounded.
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
    /** Workspaces that are listed to strangers, where the operator wants that. */
    databases: 1_000,
    /** Levels of a message. */
    depth: 100,
    /** Elements of a message. */
    values: 500_000,
    /** XML attributes of a message. */
    attributes: 1_000,
    /** References such as `&amp;` of a message. */
    references: 2_000_000,
    /** Characters of a name in a message. */
    nameLength: 255,
    /** Levels of a result. */
    resultDepth: 500,
  },
  /** GraphQL. */
  graphql: {
    /** Characters of a document. */
    document: 100_000,
    /** Documents of which parsing and validation are kept. */
    documents: 5_000,
    /** Bytes of these documents, about 600 a token. */
    documentBytes: 32 * 1024 * 1024,
    /** Schemas of workspaces with models of their own that are kept. */
    workspaceSchemas: 64,
    /** Levels of a document. `edges`, `node` and `nodes` of a connection are none. */
    depth: 12,
    /** Aliases of a document. */
    aliases: 30,
    /** Fields of a document; those of a fragment count wherever it is used. */
    fields: 2_000,
    /**
     * Values that a document asks for, by estimate: a field counts once for each record it is read of. A list counts
     * as many records as `first`, `last` or `limit` says, or else the field's own `size`; without them `pageDefault`
     * at the root and `listGuess` below it.
     */
    cost: 500_000,
    /** As how many of these values a file in a field of a record counts: what it is is looked for in its beginning. */
    fileCost: 8,
    /** Records that a nested list without `first` is estimated to hold. */
    listGuess: 10,
    /** Objects and lists in the variables of a request; a variable of the type JSON is not counted. */
    variableObjects: 5_000,
    /** Values in the variables of a request, not counted for the type JSON either. */
    variableValues: 200_000,
    /** Bytes of the answers to introspection that are kept, zipped. */
    introspectionBytes: 16 * 1024 * 1024,
    /** Tokens of a document. */
    tokens: 2_000,
    /** Rows of one list of the typed graph. */
    page: 500,
    /** Rows of such a list when the caller does not say. */
    pageDefault: 80,
    /** Conditions in all large domains of one request; the last may exceed it. */
    conditions: 5_000,
    /** Texts in the conditions of one request that are searched for. */
    matches: 10,
    /** Records in all nested lists of one request. */
    rows: 50_000,
    /** Records that one mutation of the typed graph creates, changes or deletes. */
    writes: 500,
    /** Inputs of one such mutation, with those nested in others. */
    writeInputs: 2_000,
    /** Levels of inputs nested in others. */
    writeDepth: 5,
    /** Groups of one request whose records are listed. */
    listedGroups: 100,
    /** Records that rules leave of a model that Prisma reads: their ids are part of its query. */
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
    /** Milliseconds between two looks for changes. */
    window: 100,
    /** Statements that look for records of subscribers at the same time. */
    atOnce: 4,
    /** Minutes for which changes are kept for subscribers that come back. */
    keepMinutes: 60,
    /** Statements that change records, of all workspaces of a process, between two looks. */
    statements: 5_000,
    /** Changed records of a model in one window that subscribers hear of one by one. */
    burst: 1_000,
    /** Records of one topic that are remembered as matching. */
    reach: 10_000,
    /** Records of all topics of a process that are remembered. */
    remembered: 500_000,
    /** Milliseconds of reading for subscribers between two pauses. */
    slice: 100,
    /** Changes that wait for the turn of a group before it is asked to read again instead. */
    backlog: 200,
    /** Milliseconds between two times that a group is asked to read again. */
    resyncPause: 5_000,
    /** Bytes that wait for a slow reader. */
    buffer: 64 * 1024,
    /** Milliseconds after which a reader is cut off that takes nothing. */
    patience: 60_000,
    /** Milliseconds between two signs of life to a client that hears nothing else. */
    heartbeat: 15_000,
    /** Milliseconds for which the start of a stream waits for older transactions. */
    startTime: 2_000,
  },
  /** MCP. Contract, "Limits". */
  mcp: {
    /** Records of one answer. */
    rows: 500,
    /** Records of an answer when the agent does not say. */
    rowsDefault: 50,
    /** Records that `find` answers with when the agent does not say. */
    found: 20,
    /** Groups of one answer. */
    groups: 2_000,
    /** Groups of an answer when the agent does not say. */
    groupsDefault: 100,
    /** Records that an agent updates without a confirmation. */
    unconfirmed: 100,
    /** Messages of one batch. */
    batch: 50,
    /** Messages of mailboxes that one call organizes. */
    organized: 100,
    /** As many it organizes without a confirmation. */
    organizedUnasked: 25,
    /** Values of one completion, as the protocol has it. */
    completions: 100,
    /** Characters of a text to complete that are looked at. */
    completed: 200,
    /** Models that one call lists. */
    models: 500,
    /** Arrays and objects open inside each other in a message; a domain of the record API may be 60 deep. */
    depth: 100,
    /** Milliseconds a client may keep what a list or discovery answered. */
    listTime: 3_600_000,
    /** Lists of tools that a process keeps the text of: one for each combination of rights that asks. */
    listings: 200,
    /** Companies of which a process keeps which mail features are on. */
    companies: 1_000,
    /** Milliseconds for which it keeps them. */
    featuresTime: 2_000,
  },
  /** Agents: what calls the MCP server. */
  agent: {
    /** Calls of an agent in a minute, where the workspace has not chosen another number. */
    callsPerMinute: 3_000,
    /** The largest budget of a day, and the largest number of calls a minute, that can be chosen. */
    budget: 1_000_000_000,
    /** Messages that an agent sends in a minute. */
    sendsPerMinute: 60,
    /** Calls of an agent in a minute to tools that delete. */
    deletesPerMinute: 120,
    /** Calls of an agent in a minute to tools that change modules. */
    modulesPerMinute: 10,
    /** Characters kept of what a program calls itself. */
    clientName: 100,
    /** Minutes for which a preview can be confirmed with its token. */
    confirmMinutes: 10,
    /** Characters of a token that confirms, as it is taken. */
    confirmLength: 1_000,
    /** Actions of a workspace that wait for a person. */
    heldWaiting: 100,
    /** Actions of one agent that do. */
    heldOfAgent: 20,
    /** Days for which an action waits. */
    heldDays: 7,
    /** Minutes after which an action that was approved and has no outcome counts as failed. */
    heldRunning: 15,
    /** Bytes of the arguments of a held action. */
    heldBytes: 1024 * 1024,
    /** Characters of an action that a person decides about, as it is shown: a longer one is not held. */
    heldPreview: 100_000,
    /** Characters of the reason why an action is refused. */
    heldReason: 1_000,
    /** Days for which the one-click key of an agent is valid. Contract, "Limits". */
    keyDays: 365,
    /** Calls of an agent that are shown together. */
    callsShown: 200,
    /** Names in one list that narrows what a connection is shown. */
    narrowing: 100,
    /** Agents of a process whose last call is known to have been let through. */
    known: 10_000,
    /** Milliseconds for which it is. */
    knownTime: 10_000,
    /** Milliseconds for which an agent that was seen is not noted again. */
    seenTime: 60_000,
    /** Calls within `rushSpan` from which on those that only read do not wait for their line in the log. */
    rush: 50,
    /** Milliseconds in which they are counted. */
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
    /** What a row may cost that is compared with a caller's domain, by estimate (`src/engine/domain/cost.ts`). */
    cost: 2_000,
    /** Characters of a pattern. PostgreSQL compares one text with it in one go, which nothing stops. */
    pattern: 500,
    /** Levels of a domain. */
    depth: 60,
    /** Values in one `in` list, ids of one call, records of one create. */
    values: 100_000,
    /** Characters of the JSON that content has to contain. */
    json: 2_000,
    /** Characters of the text of a record rule, or of the options of a selection. */
    text: 128 * 1024,
    /** Terms of a relative date such as `today -30d`. */
    dateTerms: 20,
  },
  /** Reading and writing records. */
  record: {
    /** Characters of a text of one line (`char`), where the field says no less. A longer one belongs into a `text`. */
    charLength: 1024 * 1024,
    /** Terms of one `order`; each may look into another table. */
    orderTerms: 20,
    /** Links to other records that the paths of one `order` or grouping follow; equal beginnings count once. */
    pathJoins: 20,
    /** Fields in one path of an `order` or a grouping. */
    pathSteps: 8,
    /** Fields to group by in one call, and sets of them. */
    groupings: 20,
    /** Groups whose records or groups one call reads along. */
    openGroups: 100,
    /** Lists among these, such as tags: a record is in a group for each record of each list. */
    listGroupings: 2,
    /** Values of groups in one call. */
    aggregates: 100,
    /** Groups of one answer: each comes with its names, labels and conditions. */
    groups: 50_000,
    /** Fields that a workspace may add to one model. An answer of Postgres has at most 1,664 columns. */
    customFields: 1_000,
    /** Properties that one record may define. */
    propertyDefinitions: 100,
    /** Levels of a specification of web_read. */
    specificationDepth: 10,
    /** Fields that a specification of web_read names. */
    specificationFields: 1_000,
    /** Lists of a specification that are nested below other relations. */
    nestedLists: 50,
    /** Records in all of these. */
    nestedRows: 50_000,
    /** Records times contacts of one call that adds followers. */
    newFollowers: 100_000,
    /** Tags in the complete name of one: itself and those above it. */
    pathLevels: 50,
    /** Bytes of files that one write puts into fields of several records, each of which gets its own. */
    fileBytes: 500_000_000,
    /** Bytes that the defaults of the context (`default_x`) add to the records of one create. */
    defaultBytes: 64 * 1024 * 1024,
    /** Answers about the fields of models that are kept for each workspace. */
    fieldAnswers: 100,
    /** Statements for one record that are kept for each caller. */
    keptStatements: 100,
    /** Fields of a statement that is kept. */
    keptFields: 60,
    /** Minutes for which changes of records can be undone. */
    undoMinutes: 60,
    /** Tokens under which one user has such changes. */
    undoTokens: 20,
    /** Characters of one. */
    undoToken: 100,
    /** Records that are undone together. */
    undoRows: 5_000,
    /** Bytes of what is kept of one change. */
    undoBytes: 2 * 1024 * 1024,
    /** Bytes that the database needs for all that is kept under one token. */
    undoTokenBytes: 8 * 1024 * 1024,
  },
  /** HTML that is made safe. */
  html: {
    /** Characters of one turn of the event loop, and of one call; beyond them that is done in another thread. */
    atOnce: 128 * 1024,
    /** Characters that a text counts for before it has any. */
    each: 32,
    /** Bytes of one text. */
    bytes: 2 * 1024 * 1024,
    /** Characters `<` of one text. */
    tags: 100_000,
    /** Levels of elements. */
    depth: 2_000,
  },
  /** The email REST API. */
  rest: {
    /** Bytes of a request body: the attachments are base64 in JSON. */
    body: 40 * 1024 * 1024,
    /** Highest number of a page of any list. */
    pages: 1_000_000,
  },
  /** Emails. */
  email: {
    /** Emails of one request. */
    batch: 100,
    /** Newest emails that are counted by what they have in common. */
    breakdownEmails: 20_000,
    /** Groups of such an answer. */
    breakdownGroups: 200,
    /** Rows of an export. */
    export: 20_000,
    /** Workspaces of which a process remembers that webhooks hear of their emails. */
    hearing: 10_000,
    /** Senders whose domains are kept. */
    senders: 1_000,
    /** Recipients of one email. */
    recipients: 50,
    /** Characters of a subject. */
    subject: 998,
    /**
     * Bytes of the HTML, the text and the decoded attachments of one email. SES takes 40 MB of a message; base64 adds
     * a third and headers some.
     */
    bytes: 28 * 1024 * 1024,
    /** Bytes of the content of all emails of one request, as it is stored. */
    requestBytes: 64 * 1024 * 1024,
    /** Characters of HTML after which emails that we make for contacts are stored before more are made. */
    madeAtOnce: 8 * 1024 * 1024,
    /** Attachments of one email. */
    attachments: 10,
    /** Bytes of all attachments of one email, before they are encoded. */
    attachmentBytes: 25 * 1024 * 1024,
    /** Addresses of attachments that are fetched for one request. */
    fetches: 20,
    /** Of these, fetched at the same time. */
    fetchesAtOnce: 4,
    /** Characters of such an address. */
    fetchPath: 2_048,
    /** Milliseconds of all fetches of one request. */
    fetchTime: 15_000,
    /** Redirects that one fetch follows. */
    fetchRedirects: 3,
    /** Requests of one workspace that fetch at the same time in one process. */
    fetchingOfOne: 8,
    /** The same of all workspaces. */
    fetching: 64,
    /** Bytes that a process holds of what it has fetched for one workspace. */
    fetchedBytesOfOne: 64 * 1024 * 1024,
    /** The same for all workspaces. */
    fetchedBytes: 256 * 1024 * 1024,
    /** Characters of an attachment's file name. */
    filename: 255,
    /** Characters of HTML that a text part is made of. */
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
    /** Headers that one send may add. */
    headers: 100,
    /** Bytes of the names and values of all those headers. */
    headerBytes: 64 * 1024,
    /** Emails of one page of a list. */
    page: 50,
    /** Emails between two page marks of a list. */
    markEvery: 1_000,
    /** Lists of which a process keeps page marks. */
    markedLists: 200,
    /** Milliseconds after which the marks of a list are found again. */
    markTime: 15 * 60_000,
    /** Milliseconds after which new emails get their marks. */
    markPause: 60_000,
    /** Bodies deleted in one statement. */
    bodyBatch: 2_000,
    /** Bytes of the source of a message that the outbox shows. */
    outboxSource: 64 * 1024,
  },
  /** Mailboxes. */
  mail: {
    /** Bytes of a raw message: 25 MB of files in base64, and what is around them. */
    messageBytes: 40 * 1024 * 1024,
    /** Milliseconds that one attempt to read a message may take. */
    parseTime: 10_000,
    /** Messages of a thread that still becomes part of another one. */
    mergedMessages: 5_000,
    /** Rows of one page of a list of messages. */
    rows: 200,
    /** Messages with the words of a search that one statement looks at. */
    searchRows: 4_500,
    /** Up to how many messages of a search are counted. */
    searchCount: 1_000,
    /** How many messages of a search a page may skip. */
    searchOffset: 5_000,
    /** Characters of the text of a message that searches and rules look into. */
    searchedText: 100_000,
    /** Texts that a search for a phrase looks into in one window of time. */
    searchTexts: 5_000,
    /** Messages that a search among the conditions of a list may match. */
    matched: 4_000,
    /** Milliseconds of a search. */
    searchTime: 2_000,
    /** Mailboxes of one search. */
    searchMailboxes: 50,
    /** Messages that one call changes. */
    changed: 1_000,
    /** Messages of a search that one call changes. */
    changedFound: 20_000,
    /** Messages that one job changes. */
    changedByJob: 1_000_000,
    /** Milliseconds in which a job looks for them. */
    jobSearchTime: 60_000,
    /** Jobs of a user that have not ended. */
    jobs: 20,
    /** Jobs that a process does at the same time. */
    jobsAtOnce: 4,
    /** Of these, jobs of one workspace. */
    jobsAtOnceOfOne: 2,
    /** Milliseconds after which another job that waits has its turn. */
    jobTurn: 30_000,
    /** Milliseconds after which another process takes over a job of one that died. */
    jobLease: 20_000,
    /** Attempts of a job to get further, after which it has failed. */
    jobAttempts: 10,
    /** Days for which a job is listed after its end. */
    jobDays: 30,
    /** As how many values of a document (`graphql.cost`) the folders of a job count. */
    jobCost: 5_000,
    /** Messages that failed of which a job keeps the reason. */
    jobFailures: 100,
    /** Minutes for which a change can be undone by its token. */
    undoMinutes: 60,
    /** Changes of a user that can be undone by their tokens. */
    undoTokens: 50,
    /** Messages that one call deletes to empty Trash. */
    emptied: 100_000,
    /** Labels that one call adds or removes. */
    labelsAtOnce: 50,
    /** Labels of a mailbox. */
    labels: 500,
    /** Characters of the name of a label. */
    labelName: 40,
    /** Folders that a mailbox has beyond those that every mailbox has. */
    folders: 500,
    /** Characters of the name of a folder. */
    folderName: 100,
    /** Senders that a mailbox blocks. */
    blocked: 10_000,
    /** Blocked senders that are listed. */
    blockedListed: 500,
    /** Recipients that are suggested. */
    suggestions: 50,
    /** Drafts of a user in a mailbox. */
    drafts: 1_000,
    /** Characters of each list of recipients of a draft. */
    recipientText: 40_000,
    /** Characters of the name of a staged file. */
    fileName: 255,
    /** Staged files of a user. */
    stagedFiles: 200,
    /** Bytes of the staged files of a user. */
    stagedBytes: 200 * 1024 * 1024,
    /** Hours after which a staged file is dropped. */
    stagedHours: 24,
    /** Characters of a signature. */
    signature: 100_000,
    /** Characters of the name that a mailbox sends with. */
    senderName: 100,
    /** Bytes of a user's photo. */
    avatarBytes: 2 * 1024 * 1024,
    /** Addresses of a mailbox beside its main one. */
    aliases: 100,
    /** First parts of addresses that are reserved in a workspace. */
    reserved: 1_000,
    /** Mailboxes that the table of who may do what shows. */
    accessMailboxes: 500,
    /** Members of a shared mailbox. */
    members: 500,
    /** Users who could be added to a shared mailbox that are listed. */
    candidates: 500,
    /** Shared mailboxes that a user who is no administrator owns. */
    sharedOwned: 10,
    /** As how many values of a document (`graphql.cost`) the text of a message counts. */
    textCost: 500,
    /** The same of its header, which is read from the raw message. */
    headersCost: 500,
    /** The same of its HTML, which is read from the raw message and made safe. */
    htmlCost: 2_000,
    /** The same of its attachments, of which it may have hundreds. */
    attachmentsCost: 100,
    /** Bytes of the texts of messages without their quotes that one answer is made of. */
    shownTexts: 8 * 1024 * 1024,
    /** Characters of the headers that one answer is made of. */
    shownHeaders: 8 * 1024 * 1024,
    /** Parts of messages that one answer is made of, attachments among them. */
    shownParts: 10_000,
    /** Bytes of HTML that one answer shows. */
    shownHtml: 4 * 1024 * 1024,
    /** Bytes of the header of a message that is shown. */
    shownHeader: 1024 * 1024,
    /** Fields of a header that one field of a document asks for by name. */
    headerNames: 50,
    /** Messages of which a list of conversations looks at to fill one page. */
    threadRows: 4_000,
    /** Up to how many messages of a conversation are counted. */
    threadCount: 500,
    /** Messages of a conversation whose people are named. */
    threadPeople: 50,
    /** As how many values of a document (`graphql.cost`) a conversation counts. */
    threadCost: 100,
    /** Conversations of one page. */
    threads: 100,
    /** Messages of a conversation that are shown. */
    threadMessages: 100,
    /** Characters of the texts of a conversation that is shown; each message has its share, or `threadText`. */
    threadTexts: 10_000_000,
    /** Characters of the text of a message in a long conversation. */
    threadText: 100_000,
    /** Messages of a conversation that are read as plain text. */
    plainMessages: 50,
    /** Characters of each of their texts. */
    plainEach: 4_000,
    /** Characters of all of their texts. */
    plainAll: 20_000,
    /** Bytes of an image of another server that a message shows. */
    imageBytes: 10 * 1024 * 1024,
    /** Milliseconds of fetching one. */
    imageTime: 10_000,
    /** Characters of its address. */
    imageUrl: 2_048,
    /** Images that a process fetches at the same time. */
    imagesAtOnce: 64,
    /** Of these, images for one workspace. */
    imagesAtOnceOfOne: 24,
    /** Of these, images for one user. */
    imagesAtOnceOfUser: 12,
    /** Bytes of images that a process is fetching. */
    imagesFetched: 128 * 1024 * 1024,
    /** Of these, bytes for one workspace. */
    imagesFetchedOfOne: 48 * 1024 * 1024,
    /** Images that a process fetches for one user within `imageWindow`. */
    imagesOfUser: 1_000,
    /** The same for one workspace. */
    imagesOfOne: 20_000,
    /** Milliseconds of that. */
    imageWindow: 600_000,
    /** Users and workspaces whose images are counted in one process. */
    imageCounts: 20_000,
    /** Images that a process remembers. */
    imagesKept: 5_000,
    /** Bytes of these. */
    imageBytesKept: 64 * 1024 * 1024,
    /** Milliseconds for which it remembers one. */
    imageAge: 3_600_000,
    /** Names of files of a message that is read as plain text. */
    plainFiles: 200,
    /** Characters of a message that are shown before it is sent. */
    previewText: 500,
    /** Domains whose state is listed. */
    domainStates: 100,
    /** Days for which changes of a mailbox are listed. */
    changeDays: 30,
    /** Days for which a mailbox remembers what it sent; its rate counts those of an hour. */
    sendLogDays: 2,
    /** Days for which it remembers whom it answered by itself. */
    autoReplyDays: 14,
    /** Bytes that another mail server may send in one call. */
    imapBytes: 96 * 1024 * 1024,
    /** Messages in one file of an export. */
    exported: 3_000,
    /** Messages of one import. */
    imported: 50,
    /** Bytes of one of them. */
    importedBytes: 25 * 1024 * 1024,
    /** Bytes of all messages of one import. */
    importBytes: 40 * 1024 * 1024,
    /** Messages that one call imports from another mail server. */
    imapBatch: 40,
    /** Milliseconds of such a call; what came until then is filed. */
    imapTime: 45_000,
    /** Milliseconds until the other server is connected to, and until it greets. */
    imapConnectTime: 10_000,
    /** Milliseconds for which the messages in folders of the other server are counted. */
    imapCountTime: 8_000,
    /** Folders of the other server that are listed. */
    imapFolders: 1_000,
    /** Characters of a user name and of a password there. */
    imapCredential: 512,
    /** Characters of the path of a folder there. */
    imapPath: 1_000,
    /** Connections to other mail servers of one process. */
    imapAtOnce: 16,
    /** Those of one workspace. */
    imapAtOnceOfOne: 4,
    /** Recipients of a message in to, cc and bcc together. */
    letterRecipients: 100,
    /** Messages that a mailbox sends in an hour. */
    sendsPerHour: 300,
    /** Characters of a subject that is sent. */
    subject: 998,
    /** Characters of a body that is sent, as text and as HTML, and of the text of a message that is read. */
    body: 524_288,
    /** Bytes of all attachments of a message that is sent, and of one that is staged. */
    attachmentBytes: 25 * 1024 * 1024,
    /** Attachments of a message that is sent. */
    attachments: 100,
    /** Messages of a user that wait to be sent later. */
    outgoing: 200,
    /** Seconds in which a message can be taken back before it is sent. */
    undoSendSeconds: 120,
    /** Days ahead for which a message can be scheduled. */
    scheduledDays: 366,
    /** Messages to be sent later that a process sends at the same time. */
    outgoingAtOnce: 8,
    /** Milliseconds after which another process takes over what one was sending. */
    outgoingLease: 60_000,
    /** Attempts to send a message, after which it waits for its writer. */
    outgoingAttempts: 20,
    /** Milliseconds that a call waits for what the provider says of its message. */
    transportWait: 10_000,
    /** Ids of a conversation that an answer names in its References. */
    references: 50,
    /** Domains of which a process remembers whose they are. */
    homes: 10_000,
    /** Milliseconds for which it does. */
    homeTime: 2_000,
    /** Mailboxes that a process files messages into at the same time. */
    filedAtOnce: 48,
    /** Of these, mailboxes of one workspace. */
    filedAtOnceOfOne: 32,
    /** Messages that are being filed into one mailbox at the same time. */
    filedTogether: 16,
    /** Transactions of one workspace at the same time in which a process keeps messages that come. */
    keptAtOnce: 2,
    /** Bytes of messages that are kept in one transaction. */
    keptTogether: 1024 * 1024,
    /** Statements at the same time in which a process looks up recipients of one workspace. */
    lookupsAtOnce: 2,
    /** Addresses that are looked up with one statement, unless one message has more. */
    lookedUpTogether: 300,
    /** Messages that are claimed with one statement. */
    filedClaim: 96,
    /** Messages that are filed in one transaction, unless one mailbox has more. */
    filedInOne: 64,
    /** Milliseconds for which a worker that says nothing keeps the messages it files. */
    filingLease: 30_000,
    /** Milliseconds for which it is attempted; then it waits for a person. */
    filingTime: 5 * 86_400_000,
    /** Messages on their way into a mailbox that its quota counts. */
    countedOnTheWay: 1_000,
    /** Attempts to read a message at which a process ended before; after them it is filed unread. */
    suspectAttempts: 2,
    /** Messages that could not be filed that a command lists. */
    failedListed: 500,
    /** Days for which what came is remembered once it is filed. */
    intakeDays: 30,
    /** Rules of a mailbox. */
    rules: 50,
    /** Messages of the Inbox that a preview of a rule looks at. */
    rulePreview: 200,
    /** Samples that it shows. */
    ruleSamples: 5,
    /** Characters of the subject of an auto reply. */
    autoReplySubject: 150,
    /** Characters of its text. */
    autoReplyBody: 4_000,
    /** Auto replies of a mailbox in an hour. */
    autoRepliesPerHour: 100,
  },
  /** Mail that other servers bring. */
  mx: {
    /** Sessions at the same time. */
    clients: 200,
    /** Of these, from one address. */
    clientsOfOne: 20,
    /** Recipients of one transaction. */
    recipients: 100,
    /** Recipients in a session that were not there, after which it is ended. */
    unknown: 20,
    /** Milliseconds a session may be silent. */
    pause: 60_000,
    /** Bytes of all messages that are being taken. */
    bytes: 256 * 1024 * 1024,
    /** Of these, from one address: two of the largest messages. */
    bytesOfOne: 80 * 1024 * 1024,
    /** Milliseconds in which a message has to come to its end. */
    dataTime: 600_000,
    /** Milliseconds for what one check of a message asks name servers. */
    dnsTime: 5_000,
    /** Answers of name servers that a process remembers. */
    dnsAnswers: 5_000,
    /** Bytes of these. */
    dnsAnswerBytes: 4 * 1024 * 1024,
    /** Milliseconds for which it remembers one. */
    dnsAnswerTime: 60_000,
    /** Milliseconds for the spam filter. */
    spamTime: 2_000,
  },
  /** Templates. */
  template: {
    /** Characters of a name. */
    name: 255,
    /** Bytes of HTML and text together. */
    bytes: 2 * 1024 * 1024,
    /** Variables and comments of one text. */
    tags: 20_000,
    /** Characters of all templates that a process keeps ready. */
    cache: 32 * 1024 * 1024,
    /** Templates that a process keeps ready. */
    entries: 2_000,
  },
  /** Images that emails show, at addresses of this server. */
  picture: {
    /** Bytes of one that is made smaller. */
    bytes: 20 * 1024 * 1024,
    /** Pixels of it, by its head: more are never decoded. */
    pixels: 25_000_000,
    /** Seconds of making it. */
    seconds: 10,
    /** Pictures that wait to be made smaller in one process. They are made one at a time. */
    waiting: 100,
    /** Of these, pictures of one workspace. */
    waitingOfOne: 20,
    /** Of these, pictures that one user asks for. The strangers of a workspace count as one. */
    waitingOfUser: 10,
    /** Bytes of pictures that were made smaller and are kept in a process. */
    kept: 64 * 1024 * 1024,
    /** Such pictures. */
    entries: 5_000,
    /** Bytes at the beginning of a picture in which its size is looked for. */
    head: 256 * 1024,
    /** Pictures whose sizes a process keeps. */
    heads: 20_000,
  },
  emailImage: {
    /** Bytes of one: in base64 it fits a request. */
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
    /** Characters of the markup of a view. */
    arch: 256 * 1024,
    /** Elements and texts of a view. */
    nodes: 20_000,
    /** Attributes of one element. */
    attributes: 50,
    /** Levels of elements, and of parts of an expression. */
    depth: 60,
    /** Characters of an expression. */
    expression: 500,
    /** Characters of a text that an expression searches with `in`. */
    searched: 1_000,
    /** Templates within templates. */
    calls: 10,
    /** Templates that a page calls, all together. */
    templates: 100,
    /** Characters of their markup. */
    called: 1024 * 1024,
    /** Steps of rendering a page. */
    steps: 200_000,
    /** Characters of a rendered page, with what it sets aside. */
    output: 2 * 1024 * 1024,
    /** Milliseconds of rendering a page. */
    renderTime: 250,
    /** Pictures of a page whose sizes are looked up. */
    pictures: 100,
    /** Lists of records in one view. */
    queries: 5,
    /** Lists of records in a page and all views that it calls. */
    pageQueries: 20,
    /** Records of such a list. */
    listed: 100,
    /** Characters of the markup that a process keeps compiled. */
    compiled: 16 * 1024 * 1024,
    /** Bytes of finished pages that a process keeps. */
    finished: 64 * 1024 * 1024,
    /** Finished pages that a process keeps. */
    entries: 10_000,
    /** Milliseconds for which a finished page is kept, should the news of a change be lost. */
    age: 60_000,
    /** Characters of the name of a page or an entry of a menu. */
    name: 255,
    /** Characters of an address. */
    url: 1_000,
    /** Pages of a website, its own and shared ones. */
    pages: 5_000,
    /** Addresses in the sitemap of a website: what search engines read. */
    sitemapLinks: 50_000,
    /** Characters of it. */
    sitemap: 4 * 1024 * 1024,
    /** Languages of a website whose pages name each other in the sitemap. */
    sitemapLanguages: 20,
    /** Entries of the menu of a website. */
    menus: 500,
    /** Versions of a view that are kept. */
    versions: 100,
    /** Characters of a field of a form. */
    formField: 5_000,
    /** Fields of a form. */
    formFields: 30,
    /** Milliseconds between the page and the form that a person needs at least. */
    formHaste: 2_000,
    /** Milliseconds after which a form has to be opened again. */
    formAge: 24 * 3_600_000,
    /** Forms that one address may send within `formWindow`. */
    formSends: 10,
    /** Milliseconds of that. */
    formWindow: 600_000,
    /** Milliseconds for which it is known whose website is at a host. */
    hostAge: 30_000,
    /** Addresses that are counted in one process. */
    formSources: 10_000,
  },
  /** The queue of emails. */
  delivery: {
    /** Milliseconds for which a worker holds an email. */
    leaseTime: 60_000,
    /** Emails of one workspace that are claimed at a time. */
    claimPerWorkspace: 50,
    /** Workspaces with mail due that one look finds. */
    workspacesAtOnce: 64,
    /** Bytes of content from which an email is claimed without it. */
    largeEmail: 64 * 1024,
    /**
     * Bytes of such content that a process holds at one time, and that it claims of one workspace; a larger email comes
     * alone. A message takes up to nine times as much while it is composed and handed over.
     */
    largeContent: 24 * 1024 * 1024,
    /** Bytes of the content of the largest email, as it is stored: base64 adds a third. */
    largestEmail: 40 * 1024 * 1024,
    /** Emails handed to the provider at the same time by one process. */
    sendsAtOnce: 64,
    /**
     * The same with a provider whose rate needs more, because it answers slowly; the SES client has as many
     * connections.
     */
    sendsAtOnceMost: 256,
    /** Senders, domains and configuration sets whose mail waits because the provider has refused some of it. */
    outages: 10_000,
    /** Failed emails that one call queues again. */
    againAtOnce: 5_000,
    /** Characters of a text that is looked for in their reasons. */
    reasonContains: 200,
    /** Hours after which an email that could not be sent is failed. */
    queueHours: 72,
  },
  /** SMTP submission. */
  submission: {
    /** Bytes of one message. */
    message: 28 * 1024 * 1024,
    /** Bytes of the header of a message, or of one of its parts. */
    header: 192 * 1024,
    /** Bytes of its address headers together. */
    addresses: 64 * 1024,
    /** Bytes of all messages that a process reads at one time. */
    bytes: 128 * 1024 * 1024,
    /** Bytes of all copies of a message that hides its recipients from each other. */
    copies: 64 * 1024 * 1024,
    /** Sessions of one process. */
    clients: 500,
    /** Of these, sessions from one address that have shown no key. */
    strangersOfOne: 50,
    /** Milliseconds within which a session has to show one. */
    signInTime: 60_000,
    /** Milliseconds for which a session may say nothing. */
    pause: 60_000,
  },
  /** Requests of Amazon SNS. */
  sns: {
    /** Bytes of a body: a message has at most 256 kB, and JSON in JSON grows. */
    body: 1024 * 1024,
    /** Certificates that are kept. */
    certificates: 20,
    /** Milliseconds before a certificate is fetched again that could not be. */
    certificatePause: 10_000,
    /** Milliseconds of one fetch. */
    time: 10_000,
  },
  /** Events that the provider of email reports. */
  provider: {
    /** Events kept, or applied, in one transaction. */
    eventBatch: 200,
    /** Statements at the same time that a process keeps events with. */
    eventBatches: 4,
    /** Events that a process has taken and not applied; beyond it they wait for the job of each minute. */
    eventBacklog: 2_000,
    /** Days for which an event that comes again is recognised. */
    eventDays: 14,
    /** Days an event waits for its email. */
    waitDays: 3,
    /** Minutes for which an event that waits is tried again each minute; later, each hour. */
    youngMinutes: 30,
  },
  /** Checks of sending domains. */
  sendingDomain: {
    /** Young unverified domains checked in one run. */
    checkedYoung: 30,
    /** Older unverified ones checked in one run. */
    checkedOld: 10,
    /** Verified ones checked in one run. */
    checkedVerified: 20,
    /** Domains checked in one run that wait for the record of a new key. */
    checkedRotated: 20,
    /** Milliseconds between two checks of such a domain. */
    checkRotated: 10 * 60_000,
    /** Days for which the record of a key stays listed that was replaced. */
    formerKeyDays: 7,
    /** Milliseconds for which a domain counts as young. */
    young: 72 * 3_600_000,
    /** Milliseconds between two checks of a domain that has just been added; more as it grows older. */
    checkYoung: 50_000,
    /** Milliseconds between two checks of an older one. */
    checkOld: 3_600_000,
    /** Milliseconds between two checks of a verified one. */
    checkVerified: 6 * 3_600_000,
  },
  /** The suppression list. */
  suppression: {
    /** Addresses added in one call. */
    batch: 1_000,
    /** Rows of an export. */
    export: 100_000,
    /** Soft bounces of one address whose times are kept; the highest value of SOFT_BOUNCE_LIMIT. */
    softBounces: 99,
  },
  /** Webhooks. */
  webhook: {
    /** Webhooks of one workspace. */
    perWorkspace: 50,
    /** Calls that are shown with the email they are about. */
    callsOfEmail: 200,
    /** Webhooks a process calls at the same time. */
    atOnce: 100,
    /** Of these, webhooks of one workspace. */
    atOnceOfOne: 10,
    /** Calls a process makes at the same time. */
    callsAtOnce: 300,
    /** Of these, calls of one workspace. */
    callsAtOnceOfWorkspace: 80,
    /** Of these, calls of one webhook. */
    callsAtOnceOfWebhook: 40,
    /** Milliseconds a call may take. */
    time: 10_000,
    /** Milliseconds for which a process holds a webhook. */
    lease: 60_000,
    /** Attempts of one call. */
    attempts: 6,
    /** Milliseconds of the pause after the first attempt; it doubles each time. */
    pause: 5_000,
    /** Milliseconds that a receiver may ask for before the next attempt. */
    retryAfter: 24 * 60 * 60 * 1000,
    /** Calls failed for good, one after another, until a webhook is switched off. */
    failures: 30,
    /** Characters that are kept of an answer. */
    answer: 4_096,
    /** Characters of a URL. */
    url: 2_048,
    /** Hours for which calls are signed with the former secret as well. */
    secretHours: 24,
    /** Days a call waits, behind others or while its webhook is off, before it is discarded. */
    waitDays: 3,
    /** Days calls are kept. */
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
    /** Contacts of one page. */
    page: 5_000,
    /** Contacts of one request that adds or deletes many. */
    bulk: 1_000,
    /** Bytes of a CSV file of contacts. */
    fileBytes: 256 * 1024 * 1024,
    /** Rows of such a file. */
    fileRows: 200_000,
    /** Columns of such a file that a caller names itself. */
    fileColumns: 1_000,
    /** Bytes of one of its rows. */
    rowBytes: 64 * 1024,
    /** Errors of such a file that are reported. */
    fileErrors: 1_000,
    /** Milliseconds within which a subscription can be confirmed. */
    confirmTime: 7 * 24 * 3_600_000,
  },
  /** Campaigns. */
  campaign: {
    /** Campaigns of one page. */
    page: 30,
    /** Milliseconds by which the time of a new campaign may lie in the past. */
    past: 5 * 60_000,
    /** Contacts of one batch. */
    batch: 100_000,
    /** Subscribed contacts that a preview counts. */
    counted: 100_000,
    /** Minutes between two batches. */
    window: 7 * 24 * 60,
    /** Emails made in one transaction. */
    chunk: 500,
    /** Emails of a workspace's campaigns that may wait to be sent before more are made. */
    ahead: 50_000,
    /** Blocks in one text of the editor. */
    blocks: 10_000,
    /** Levels of such blocks. */
    blockDepth: 50,
  },
  /** The helpdesk. */
  helpdesk: {
    /** Bytes of HTML of a message that is kept as it was written; of a longer one its text is. */
    html: 256 * 1024,
    /** Characters of the text of such a message. */
    text: 100_000,
    /** Characters of a subject. */
    subject: 500,
    /** Files of a message that are kept with its ticket. */
    files: 30,
    /** Bytes of these files together. */
    fileBytes: 25 * 1024 * 1024,
    /** Ids of answered messages by which a ticket is looked for. */
    answers: 100,
    /** Working hours within which a ticket has to reach a stage. */
    slaHours: 4_000,
    /** SLA policies of a team. */
    policies: 100,
    /** Deadlines that have passed which are dealt with in one transaction. */
    overdue: 50,
    /** Messages that the page of a ticket shows, the newest. */
    pageMessages: 100,
    /** Characters of each of them. */
    pageText: 20_000,
    /** Characters of an answer on that page, and of the comment to a rating. */
    pageAnswer: 10_000,
    /** Bytes of a form of that page. */
    pageForm: 64 * 1024,
    /** Answers on the page of one ticket in an hour. */
    pageAnswers: 20,
    /** Message ids of a ticket that an answer refers to. */
    references: 20,
  },
  /** Calendars. */
  calendar: {
    /** Events that a recurrence has at first, as clients of this API know it; half as many follow as time goes on. */
    occurrences: 720,
    /** Events of a recurrence in all, those of the past among them. */
    reach: 14_400,
    /** Days, weeks, months or years between two occurrences. */
    interval: 999,
    /** Attendees of an event. */
    attendees: 200,
    /** Attendees of the events that a recurrence has at first. */
    places: 20_000,
    /** Characters of the description that a mail to attendees shows; the calendar file in it has all. */
    described: 5_000,
    /** Events that are reminded of in one transaction. */
    reminded: 50,
    /** Bytes of an answer to an invitation. */
    replyBytes: 256 * 1024,
    /** Events that one answer is about. */
    replyEvents: 20,
    /** Bytes of a calendar file that is imported. */
    importBytes: 1024 * 1024,
    /** Events of such a file. */
    importEvents: 500,
    /** Milliseconds of reading such a file, or an answer. */
    readTime: 10_000,
    /** Properties of such a file, and of an answer. */
    properties: 20_000,
    /** Parameters of one of them. */
    parameters: 1_000,
    /** Times of such a file, those that recurrences leave out among them. */
    times: 5_000,
    /** Occurrences of all recurrences of a file that is imported. */
    importOccurrences: 10_000,
    /** Recurrences that one call begins. */
    recurrences: 20,
    /** Contacts whose busy times are asked for at once. */
    busyPartners: 100,
    /** Days of such a question. */
    busyDays: 93,
    /** Times that it is answered with. */
    busyTimes: 5_000,
    /** Events that a feed reads at a time. */
    feedPage: 200,
    /** Days for which an event that is over stays in a feed. */
    feedDays: 365,
  },
} as const;
