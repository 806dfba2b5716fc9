import { runMutation } from '../../graphql/client.ts';
import { RequestError } from '../../graphql/request-error.ts';
import { sendFile } from '../../shell/send-file.ts';
import type { FormValues } from '../fields.ts';
import { RecordFileDiscardDocument, RecordFilePlaceDocument } from '../generated.ts';
import type { FieldDescription } from '../model.ts';
import { viewStrings } from '../view-strings.ts';

/**
 * Uploads a form's files and passes them to a mutation. If the mutation is rejected, the uploads are discarded.
 * @param onProgress called with the uploaded fraction of a field's file
 * @param make receives the input for the changed file fields
 * @throws RequestError
 */
export async function withFiles<T>(
  fields: FieldDescription[],
  values: FormValues,
  onProgress: (name: string, share: number) => void,
  make: (input: Record<string, string | null>) => Promise<T>,
): Promise<T> {
  const input: Record<string, string | null> = {};
  const sent: string[] = [];
  try {
    for (const { graphqlName, name } of fields) {
      const file = values[graphqlName!];
      if (file instanceof File) {
        const id = await uploadFile(graphqlName!, file, (share) => onProgress(name, share));
        sent.push(id);
        input[`${graphqlName}UploadId`] = id;
      } else if (graphqlName! in values) input[graphqlName!] = null;
    }
    return await make(input);
  } catch (error) {
    for (const id of sent) void runMutation(RecordFileDiscardDocument, { id }).catch(() => undefined);
    throw error;
  }
}

async function uploadFile(name: string, file: File, onProgress: (share: number) => void): Promise<string> {
  const { path } = (await runMutation(RecordFilePlaceDocument, { name: file.name })).fileUpload;
  onProgress(0);
  try {
    return ((await sendFile(path, file, onProgress).done) as { id: string }).id;
  } catch (error) {
    const message = (error as Error).message || viewStrings.uploadFailed(file.name);
    throw new RequestError({ code: 'UPLOAD', message, argument: `input.${name}`, requestId: null });
  }
}
