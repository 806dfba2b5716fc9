import { buildDocument } from '../facades/rest/doc.ts';
import { endpoints } from '../facades/rest/endpoints/index.ts';
import { buildProduct } from '../schema/index.ts';

// Prints the OpenAPI document of the email API, as a server returns it at /api/v1/doc. Usage:
//
// node scripts/openapi.ts [<public URL of the server>] > openapi.json

const [publicUrl = 'https://atrium.example.com'] = process.argv.slice(2);

// Building the schema declares the objects that the document refers to.
buildProduct();
const document = JSON.parse(buildDocument(endpoints, 'us-east-1')(publicUrl));
console.log(JSON.stringify(document, null, 2));
