// Which projects the start page shows, and in which order.
import { accountIn, type Project } from '@/api/projects'
import { compareTexts } from '@/texts'

export interface Sought {
  readonly text: string
  /** A username; blank for everybody's. */
  readonly owner: string
}

type Listed = Pick<Project, 'name' | 'owner' | 'starred' | 'tags'>

/** Starred first, then by name. Every word is looked for, in names, owners and labels. */
export const shownProjects = <P extends Listed>(projects: readonly P[], { text, owner }: Sought): P[] => {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const matches = (project: P) => {
    const account = accountIn(project.owner)
    const all = `${project.name} ${account} ${project.tags.join(' ')}`.toLowerCase()
    return (owner === '' || account === owner) && words.every((word) => all.includes(word))
  }
  return projects
    .filter(matches)
    .toSorted((a, b) => Number(b.starred) - Number(a.starred) || compareTexts(a.name, b.name))
}

/** Accounts that own any of them. */
export const ownersOf = (projects: readonly Pick<Project, 'owner'>[]): string[] =>
  [...new Set(projects.map(({ owner }) => accountIn(owner)))].toSorted(compareTexts)
