import type { ShapeParts } from '../../../src/engine/operation/shape.ts';
import { defineTypedShape } from '../../../src/engine/operation/shape.ts';

import type { EntrySnapshot } from './change-entries.ts';

/** A call to svc.mail.account that undoes part of a change. */
export interface UndoCall {
  method: string;
  arguments: Record<string, unknown>;
}

const UndoCall = defineTypedShape('MailUndoCall', 'A call that undoes part of a change.', {
  method: {
    type: 'String',
    description: 'Method of `svc.mail.account`, such as `set_flags` (the mutation `mailFlag`).',
  },
  arguments: { type: 'JSON', description: 'Arguments of the method.' },
});

const MessageBefore = defineTypedShape('MessageBefore', 'State of a message before a change.', {
  entryId: { type: 'ID', description: 'Id of the message.' },
  folderId: { type: 'ID', description: 'Id of the folder that contained the message.' },
  isRead: { type: 'Boolean', description: 'True if the message had been read.' },
  isStarred: { type: 'Boolean', description: 'True if the message was starred.' },
});

export const UNDOABLE_SHAPE: ShapeParts = {
  previous: {
    type: [MessageBefore],
    description: 'Previous state of each changed message. Null if the call was rejected.',
  },
  undo: { type: [UndoCall], description: 'Calls that undo the change. Null if the call was rejected.' },
};

export const toPreviousStates = (before: readonly EntrySnapshot[]) =>
  before.map(({ id, folder_id, is_read, is_starred }) => ({
    entry_id: id,
    folder_id,
    is_read,
    is_starred,
  }));

export const buildFlagUndo = (
  before: readonly EntrySnapshot[],
  flag: 'is_read' | 'is_starred',
  now: boolean | null,
) =>
  now === null
    ? []
    : buildCalls(
        before.filter((item) => item[flag] !== now),
        'set_flags',
        { vals: { [flag]: !now } },
      );

export const buildMoveUndo = (before: readonly EntrySnapshot[]): UndoCall[] =>
  [...Map.groupBy(before, ({ folder_id }) => folder_id)].flatMap(([folder_id, snapshots]) =>
    buildCalls(snapshots, 'move_entries', { folder_id }),
  );

const buildCalls = (entries: readonly EntrySnapshot[], method: string, extra: object): UndoCall[] =>
  entries.length === 0 ? [] : [{ method, arguments: { entry_ids: entries.map(({ id }) => id), ...extra } }];
