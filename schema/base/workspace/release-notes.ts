import { readFile } from 'node:fs/promises';
import type { Policy } from '../../../src/engine/model/policy.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { defineTypedShape, type ValueOf } from '../../../src/engine/operation/shape.ts';

const MAX_RELEASE_NOTES = 200;

const policy: Policy = { auth: ['USER'], scope: 'read' };

const ReleaseNoteShape = defineTypedShape('ReleaseNote', 'A change in a version.', {
  version: { type: 'String', description: 'Version, or `Unreleased`.' },
  date: {
    type: 'String',
    nullable: true,
    description: 'Release date, as YYYY-MM-DD. Null if the version is not released.',
  },
  kind: { type: 'String', description: 'Type of change, such as `Added` or `Fixed`.' },
  text: { type: 'String', description: 'The change, in Markdown.' },
});

type ReleaseNote = ValueOf<typeof ReleaseNoteShape>;

export const releaseNotesOperation = defineOperation('releaseNotes', {
  effects: ['reads'],
  policy,
  description: 'Lists the release notes of this server, newest version first.',
  args: (arg) => ({
    limit: arg.int({
      defaultValue: 20,
      description: `Maximum number of entries, up to ${MAX_RELEASE_NOTES}.`,
    }),
  }),
  type: [ReleaseNoteShape.ref],
  run: async (_ctx, { limit }): Promise<ReleaseNote[]> =>
    (await loadReleaseNotes()).slice(0, Math.min(MAX_RELEASE_NOTES, Math.max(0, limit ?? 20))),
});

let notes: Promise<ReleaseNote[]> | undefined;

/** Parses the bundled changelog once, because it does not change while the server runs. */
function loadReleaseNotes(): Promise<ReleaseNote[]> {
  notes ??= readFile(new URL('../../../CHANGELOG.md', import.meta.url), 'utf8').then(parseReleaseNotes);
  return notes;
}

function parseReleaseNotes(text: string): ReleaseNote[] {
  const sections = text.split(/^## (?=\[)/m).slice(1);
  return sections.flatMap((section) => {
    const [, version, date] = /^\[([^\]]+)\](?:.*?(\d{4}-\d\d-\d\d))?/.exec(section)!;
    return section
      .split(/^### /m)
      .slice(1)
      .flatMap((part) => {
        const kind = /^.*/.exec(part)![0].trim();
        return part
          .split(/^- /m)
          .slice(1)
          .map((item) => ({
            version: version!,
            date: date ?? null,
            kind,
            text: item.replace(/\s+/g, ' ').trim(),
          }));
      });
  });
}
