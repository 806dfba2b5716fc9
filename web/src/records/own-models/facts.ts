import type { OwnModelQuery } from './generated.ts';

export type OwnModelFacts = OwnModelQuery['irModels']['nodes'][number];
