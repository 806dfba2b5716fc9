import { useNavigate } from '@tanstack/react-router';
import { useEffect, useReducer, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { RequestError } from '../../graphql/request-error.ts';
import { showToast } from '../../ui/toasts.tsx';
import { getRights, type RecordValues } from '../document.ts';
import { type FormValues, toFormChanges, triggersOnchange } from '../fields.ts';
import { type FieldDescription, getInputKey, type ModelDescription } from '../model.ts';
import { recordStrings } from '../strings.ts';
import { createChangeQueue } from './change-queue.ts';
import { createFormState, findRejectedField, reduceForm } from './form-state.ts';
import { type ComputedValues, loadDependentValues } from './onchange.ts';
import { RecordChangedError, saveRecord } from './save-record.ts';

export interface RecordFormProps {
  model: ModelDescription;
  record: RecordValues | null;
  start: FormValues;
  reload(): void;
}

export type RecordFormState = ReturnType<typeof useRecordForm>;

export function useRecordForm({ model, record, start }: RecordFormProps) {
  const navigate = useNavigate();
  const [state, dispatch] = useReducer(reduceForm, start, createFormState);
  const base = state.base ?? record;
  const values: FormValues = { ...base, ...state.facts, ...state.changes };
  const latest = useRef({ values, changes: state.changes });
  latest.current = { values, changes: state.changes };
  const rights = getRights(model);
  const rejectedField = findRejectedField(state.failure);

  const [queue] = useState(() =>
    createChangeQueue<ComputedValues>(
      async (names) => {
        const sent = latest.current.values;
        const computed = await loadDependentValues(model, record?.id, sent, names);
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

  /** @param version version that the changes may overwrite */
  const save = async (version = base) => {
    dispatch({ type: 'save' });
    const onProgress = (name: string, share: number) => dispatch({ type: 'upload', name, share });
    try {
      await queue.flush();
      const sent = latest.current.changes;
      const saved = await saveRecord(model, version, sent, onProgress);
      if (version) {
        queue.clear();
        dispatch({ type: 'saved', sent, start, record: saved });
        showToast(recordStrings.saved);
      } else {
        showToast(recordStrings.created);
        // Resets the state before navigating, so that the guard for unsaved changes is not triggered.
        flushSync(() => dispatch({ type: 'create' }));
        await navigate({
          to: '/records/$model/$id',
          params: { model: model.name, id: saved.id },
          replace: true,
        });
      }
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
