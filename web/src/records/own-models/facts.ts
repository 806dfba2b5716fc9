import type { OwnModelQuery } from './generated.ts';

/** A model of the workspace, as its page shows it. */
export type OwnModelFacts = OwnModelQuery['irModels']['nodes'][number];
