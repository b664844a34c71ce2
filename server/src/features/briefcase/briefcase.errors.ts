import { badRequest } from '../../platform/http/index.js'

export const noFormId = () => badRequest('Name the form with formId.', 'briefcase.no_form_id')

export const badKey = () =>
  badRequest('formId must name a record: id[@version=… and @uiVersion=null]/root[@key=uuid:…].', 'briefcase.bad_key')

export const badCursor = () =>
  badRequest('The cursor is not one of this server. Begin without one.', 'briefcase.bad_cursor')

export const severalForms = () =>
  badRequest(
    'There are several forms with this id. Ask below an account, a project or a form: /{username}, /projects/{id}, /forms/{id}.',
    'briefcase.several_forms',
  )

export const noDefinition = () => badRequest('Send the XForm as a part named form_def_file.', 'briefcase.no_definition')
