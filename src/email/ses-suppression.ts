import { DeleteSuppressedDestinationCommand } from '@aws-sdk/client-sesv2';
import { createSesClient, type SesOptions } from './ses.ts';

/** Removes an address from the account's suppression list. Succeeds if it is not on the list. */
export async function removeSesSuppression(options: SesOptions, address: string): Promise<void> {
  const client = createSesClient(options, 3);
  try {
    await client.send(new DeleteSuppressedDestinationCommand({ EmailAddress: address }));
  } catch (error) {
    if ((error as Error).name !== 'NotFoundException') throw error;
  } finally {
    client.destroy();
  }
}
