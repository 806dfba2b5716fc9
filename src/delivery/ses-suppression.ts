import { DeleteSuppressedDestinationCommand } from '@aws-sdk/client-sesv2';
import { createSesClient, type SesOptions } from './ses.ts';

/** Takes an address off the suppression list of the account; one that is not on it is as good. */
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
