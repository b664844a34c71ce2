export { emailKey, normalizeUsername, signInNames, usernameFault } from './usernames.js'
export {
  countUsers,
  findActiveUser,
  findBySignInName,
  findPersonByName,
  findTaken,
  insertUser,
  listByNames,
  type NewUser,
  namedInPath,
  type Person,
  setActive,
  type UserChanges,
  updateUser,
} from './users.queries.js'
export { userRoutes } from './users.routes.js'
