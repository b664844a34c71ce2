import { badRequest, forbidden, invalid } from '../../platform/http/index.js'

export const badProjectId = () => badRequest('Invalid value for project_id. It must be a positive integer.')

/** Clients tell the two apart: the very same name, and one that differs in case. */
export const nameTaken = (name: string, existing: string) =>
  name === existing
    ? invalid({ non_field_errors: ['The fields name, owner must make a unique set.'] })
    : invalid({ name: [`Project ${name} already exists.`] })

export const mayNotOwn = (owner: string) =>
  `You do not have permission to create a project in the organization ${owner}.`

/** Owners and managers of a project see all of its forms, so the id tells nothing new. */
export const notAllForms = (idString: string) =>
  forbidden(`Your role on the form '${idString}' in this project does not allow it.`)

/** Ids of forms are unique within an account; the empty list is one that was taken in the same moment. */
export const formIdsTaken = (idStrings: readonly string[]) =>
  invalid({
    owner: [
      `The new owner already has forms with these ids${idStrings.length === 0 ? '' : `: ${idStrings.join(', ')}`}. Move or delete them first.`,
    ],
  })
