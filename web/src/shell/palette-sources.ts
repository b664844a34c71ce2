// What `Ctrl K` finds besides pages: forms and people of one's projects, and records of the form that is open. The list of projects
// is asked for once in a while, however much is typed; records are searched by the server, eight at a time.
import { careful, session } from '@/api'
import type { Project } from '@/api/projects'
import { keptProjects } from '@/api/projects-kept'
import { form as formIcon, note, person } from '@/look/icons'
import type { PaletteEntry, PaletteSource } from '@/parts/palette'
import { useTexts } from '@/texts'
import en from '@/texts/en/shell'
import { formIn } from './go-to'

const t = useTexts(en)
const mostRecords = 8
/** A letter or two are in every record. */
const leastLetters = 3

export const formsOf = (projects: readonly Project[]): PaletteEntry[] =>
  projects.flatMap((project) =>
    project.forms.map((form) => ({
      id: `form-${form.formid}`,
      label: String(form.name ?? form.title ?? form.formid),
      about: t('inProject', { project: project.name }),
      icon: formIcon,
      to: `/forms/${form.formid}`,
    })),
  )

/** Each once, with the first project that is shared with them. */
export const peopleOf = (projects: readonly Project[], self: string): PaletteEntry[] => {
  const found = new Map<string, PaletteEntry>()
  for (const project of projects) {
    for (const { user, first_name: first, last_name: last, is_org: isOrg } of project.users ?? []) {
      if (isOrg || user === self || found.has(user)) continue
      const name = `${first} ${last}`.trim()
      found.set(user, {
        id: `person-${user}`,
        label: name === '' ? user : `${name} (${user})`,
        about: t('inProject', { project: project.name }),
        icon: person,
        to: `/projects/${project.projectid}/people`,
      })
    }
  }
  return [...found.values()]
}

const shownValue = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

/** The first few answers say which record it is. */
export const recordEntry = (formId: string, record: Readonly<Record<string, unknown>>): PaletteEntry => {
  const answers = Object.entries(record)
    .filter(([name]) => !name.startsWith('_') && !/^(meta|formhub)\/|^(start|end|today|deviceid)$/.test(name))
    .map(([, value]) => shownValue(value))
    .filter((text) => text !== '' && text.length < 80)
  return {
    id: `record-${record._id}`,
    label: answers.slice(0, 3).join(' · ') || String(record._uuid),
    about: `#${record._id}`,
    icon: note,
    to: `/forms/${formId}/records/${record._uuid}`,
  }
}

const findRecords = async (text: string, signal: AbortSignal): Promise<PaletteEntry[]> => {
  const formId = formIn(location.pathname)
  if (formId === undefined || (text.length < leastLetters && !/^#?\d+$/.test(text))) return []
  // As they are numbered on pages: `#1196`.
  const number = /^#(\d{1,15})$/.exec(text)?.[1]
  const sought: Record<string, string> = number === undefined ? { search: text } : { query: `{"_id":${number}}` }
  const query = new URLSearchParams({ ...sought, page_size: String(mostRecords), page: '1', sort: '-_id' })
  const answer = await careful(`/api/v1/data/${formId}?${query}`, { signal })
  if (!answer.ok) return []
  return ((await answer.json()) as Record<string, unknown>[]).map((record) => recordEntry(formId, record))
}

export const findingSources: readonly PaletteSource[] = [
  { name: 'forms', label: () => t('forms'), find: async (text) => (text === '' ? [] : formsOf(await keptProjects())) },
  {
    name: 'people',
    label: () => t('people'),
    find: async (text) => (text === '' ? [] : peopleOf(await keptProjects(), session.value?.username ?? '')),
  },
  { name: 'records', label: () => t('records'), isRemote: true, find: findRecords },
]
