import fc from 'fast-check';
import { expect, test } from 'vitest';
import { search } from '../../src/engine/read/records.ts';
import { AppError } from '../../src/errors.ts';
import { setUp } from '../harness/set-up.ts';
import { buildDomainArbitrary } from './domain-garbage.ts';
import { openLab } from './lab.ts';

const lab = setUp(openLab);

const ERROR_TOKENS = ['BAD_VALUE', 'ACCESS_ERROR'];

test.each(['lab', 'lab.node', 'lab.leaf', 'lab.owned'])(
  'returns a result or an error for random domains on %s',
  async (model) => {
    let responseCount = 0;
    const property = fc.asyncProperty(
      buildDomainArbitrary(lab.ctx.catalog.registry, model),
      async (domain) => {
        try {
          await search(lab.ctx, model, domain);
          responseCount++;
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          expect(ERROR_TOKENS).toContain(error.kind);
        }
      },
    );
    await fc.assert(property, { numRuns: 800 });
    expect(responseCount).toBeGreaterThan(40);
  },
);
