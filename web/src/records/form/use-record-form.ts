import { useNavigate } from '@tanstack/react-router';
import { useReducer, useRef } from 'react';
import { flushSync } from 'react-dom';
import { RequestError } from '../../graphql/request-error.ts';
import { showToast } from '../../ui/toasts.tsx';
import { getRights, type RecordValues } from '../document.ts';
import { type FormValues, toFormChanges, triggersOnchange } from '../fields.ts';
import { type FieldDescription, getInputKey, type ModelDescription } from '../model.ts';
import { recordStrings } from '../strings.ts';
import { createFormState, findRejectedField, reduceForm } from './form-state.ts';
import { loadDependentValues } from './onchange.ts';
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
  const values: FormValues = { ...base, ...state.changes };
  const latest = useRef(values);
  latest.current = values;
  const rights = getRights(model);
  const rejectedField = findRejectedField(state.failure);

  const compute = async (field: FieldDescription, now: FormValues) => {
    const computed = await loadDependentValues(model, record?.id, now, field);
    if (computed) dispatch({ type: 'compute', values: computed, round: state.round });
  };
  const enter = (field: FieldDescription, value: unknown) => {
    const entered = toFormChanges(field, value);
    dispatch({ type: 'enter', values: entered, record });
    if (triggersOnchange(field)) void compute(field, { ...latest.current, ...entered });
  };
  const reset = () => dispatch({ type: 'reset', start });

  /** @param version version that the changes may overwrite */
  const save = async (version = base) => {
    dispatch({ type: 'save' });
    const onProgress = (name: string, share: number) => dispatch({ type: 'upload', name, share });
    try {
      const id = await saveRecord(model, version, state.changes, onProgress);
      if (version) {
        reset();
        showToast(recordStrings.saved);
      } else {
        showToast(recordStrings.created);
        // Resets the state before navigating, so that the guard for unsaved changes is not triggered.
        flushSync(() => dispatch({ type: 'create' }));
        await navigate({ to: '/records/$model/$id', params: { model: model.name, id }, replace: true });
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
