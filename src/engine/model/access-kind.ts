export type AccessKind = 'read' | 'write' | 'create' | 'unlink';
