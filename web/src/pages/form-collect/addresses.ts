// Where phones and programs reach a form.

export interface Addresses {
  /** Everybody says who they are: records have their sender. */
  readonly signedIn: string
  /** Whoever knows it, where the form takes records without an account. */
  readonly open: string
  /** All forms of the project. */
  readonly project: string
  readonly script: string
}

export const addressesOf = (origin: string, formId: number, projectId: number): Addresses => ({
  signedIn: `${origin}/me/forms/${formId}`,
  open: `${origin}/forms/${formId}`,
  project: `${origin}/me/projects/${projectId}`,
  script: `${origin}/api/v1/submissions`,
})
