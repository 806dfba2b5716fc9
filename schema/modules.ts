import { defineModule } from '../src/engine/model/modules.ts';

// The modules of the platform's own models; an app names those of its models itself.

defineModule('base', ['res', 'ir', 'base']);
defineModule('mail', ['mail', 'svc']);
defineModule('website', ['website']);
