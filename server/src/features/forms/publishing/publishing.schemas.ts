import { FilePart } from '../../../platform/http/index.js'
import { Type } from '../../../platform/schema/index.js'
import { PatchForm } from '../changing/index.js'
import { largestFormBytes } from '../compiling/index.js'

const File = (kind: string) => FilePart(`${kind}.`, largestFormBytes)
const Web = (kind: string) => Type.String({ maxLength: 2000, description: `Address of ${kind}.` })

const source = {
  xls_file: Type.Optional(File('.xlsx, .xls or .csv')),
  xml_file: Type.Optional(File('an XForm')),
  text_xls_form: Type.Optional(Type.String({ maxLength: largestFormBytes, description: 'The form as CSV text.' })),
  xls_url: Type.Optional(Web('a spreadsheet')),
  csv_url: Type.Optional(Web('a form as CSV')),
  remote_xls_url: Type.Optional(Web('a spreadsheet that is kept for download')),
}

const examples = [{ text_xls_form: 'survey,,,\n,type,name,label\n,integer,age,Your age?\n' }]

/** Described for those who read the API; the handlers read the parts themselves. */
export const FormUpload = Type.Object(
  {
    ...source,
    owner: Type.Optional(Type.String({ maxLength: 254, description: 'Username of the account that gets the form.' })),
    project: Type.Optional(Type.String({ maxLength: 500, description: 'Id or address of the project.' })),
    formid: Type.Optional(Type.Integer({ description: 'An existing form to move into this project.' })),
  },
  { 'x-unchecked': true, examples },
)

/** Where the place is known already. */
export const FormSource = Type.Object(source, { 'x-unchecked': true, examples })

export const FormChange = Type.Object(
  { ...source, ...PatchForm.properties },
  { 'x-unchecked': true, examples: [{ title: 'Household visit' }, ...examples] },
)
