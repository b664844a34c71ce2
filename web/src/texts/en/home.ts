import { english } from '../catalogue'

export default english('home', {
  projects: 'Projects',
  find: 'Find a project',
  found: { one: '{n} project', other: '{n} projects' },
  forms: { one: '{n} form', other: '{n} forms' },
  star: 'Star {name}',
  emptyTitle: 'No project yet',
  emptyAbout: 'A project holds forms, the answers to them, and the people who work with both.',
})
