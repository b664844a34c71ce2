import { invalid } from '../../platform/http/index.js'

export const unknownOrganization = (name: string) =>
  invalid({ organization: [`Object with username=${name} does not exist.`] })
export const organizationFixed = () => invalid({ organization: ['A team stays in its organization.'] })
export const teamNameTaken = () => invalid({ name: ['Team with this name already exists.'] })
export const builtInTeam = () => invalid({ non_field_errors: ['This team cannot be changed.'] })
export const unknownMember = (username: string) => invalid({ username: [`User \`${username}\` does not exist.`] })
export const unknownProject = (id: number) => invalid({ project: [`Project with id '${id}' does not exist.`] })
