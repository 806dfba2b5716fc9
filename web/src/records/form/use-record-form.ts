import { useEffect, useReducer, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { RequestError } from '../../graphql/request-error.ts';
import { showToast } from '../../ui/toasts.tsx';
import { getRights, type RecordValues } from '../document.ts';
import { type FormValues, toFormChanges, triggersOnchange } from '../fields.ts';
import { type FieldDescription, getInputKey, type ModelDescription } from '../model.ts';
import { recordStrings } from '../strings.ts';
import { createChangeQueue } from './change-queue.ts';
import { createFormState, findLaterChanges, findRejectedField, reduceForm } from './form-state.ts';
import { type ComputedValues, loadDependentValues } from './onchange.ts';
import { RecordChangedError, saveRecord } from './save-record.ts';

export interface RecordFormProps {
  model: ModelDescription;
  record: RecordValues | null;
  start: FormValues;
  reload(): void;
  /** Called once the record has been created. The form remains mounted and edits it from then on. */
  onCreated?(record: RecordValues): Promise<void>;
}

export type RecordFormState = ReturnType<typeof useRecordForm>;

export function useRecordForm({ model, record, start, onCreated }: RecordFormProps) {
  const [state, dispatch] = useReducer(reduceForm, start, createFormState);
  const base = state.base ?? record;
  const values: FormValues = { ...base, ...state.facts, ...state.changes };
  const latest = useRef({ id: record?.id, values, changes: state.changes });
  latest.current = { id: record?.id, values, changes: state.changes };
  const rights = getRights(model);
  const rejectedField = findRejectedField(state.failure);

  const [queue] = useState(() =>
    createChangeQueue<ComputedValues>(
      async (names) => {
        const { id, values: sent } = latest.current;
        const computed = await loadDependentValues(model, id, sent, names);
        return computed && { ...computed, values: omitEntered(computed.values, sent, latest.current.values) };
      },
      // Renders before a save that waits for the values.
      (computed) => flushSync(() => dispatch({ type: 'compute', ...computed })),
    ),
  );
  useEffect(() => queue.clear, [queue]);

  const enter = (field: FieldDescription, value: unknown) => {
    dispatch({ type: 'enter', values: toFormChanges(field, value), record });
    if (triggersOnchange(field)) queue.add(field.name);
  };
  const reset = () => {
    queue.clear();
    dispatch({ type: 'reset', start });
  };

  /**
   * @param isComplete returns false if the form lacks required values, once the server has computed the missing ones
   * @param version version that the changes may overwrite
   */
  const save = async (isComplete: () => boolean, version = base) => {
    // The shortcut works during a save too.
    if (state.isSaving) return;
    dispatch({ type: 'save' });
    const onProgress = (name: string, share: number) => dispatch({ type: 'upload', name, share });
    try {
      await queue.flush();
      if (!isComplete()) return;
      const sent = latest.current.changes;
      const saved = await saveRecord(model, version, sent, onProgress);
      const changes = findLaterChanges(sent, latest.current.changes, saved);
      queue.clear();
      dispatch({ type: 'saved', record: saved, ...changes });
      for (const field of model.fields)
        if (getInputKey(field)! in changes.later && triggersOnchange(field)) queue.add(field.name);
      showToast(version ? recordStrings.saved : recordStrings.created);
      if (!version) await onCreated?.(saved);
    } catch (error) {
      if (error instanceof RecordChangedError) dispatch({ type: 'conflict', theirs: error.theirs });
      else if (error instanceof RequestError) dispatch({ type: 'reject', failure: error.failure });
      else throw error;
    } finally {
      dispatch({ type: 'finish' });
    }
  };
  return {
    ...state,
    values,
    base,
    mayEdit: record ? rights.update : rights.create,
    enter,
    reset,
    save,
    closeConflict: () => dispatch({ type: 'closeConflict' }),
    getFieldError: (field: FieldDescription) =>
      getInputKey(field) === rejectedField ? state.failure!.message : null,
  };
}

/** Omits values that the user has changed since they were sent. */
const omitEntered = (computed: FormValues, sent: FormValues, now: FormValues): FormValues =>
  Object.fromEntries(Object.entries(computed).filter(([key]) => sent[key] === now[key]));
