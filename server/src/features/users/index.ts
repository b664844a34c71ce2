export { pagesOfMails } from './pages-of-mails.js'
export { emailKey, normalizeUsername, signInNames, usernameFault } from './usernames.js'
export {
  accountNames,
  countUsers,
  findActiveUser,
  findBySignInName,
  findPersonByName,
  findTaken,
  hasOperator,
  hasPeople,
  insertUser,
  isOperator,
  listByNames,
  listOperators,
  lockFirstAccount,
  type NewUser,
  namedInPath,
  type Person,
  type UserChanges,
  updateActive,
  updateLastSignIn,
  updateOperator,
  updateUser,
} from './users.queries.js'
export { userRoutes } from './users.routes.js'
