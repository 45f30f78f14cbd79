// What is printed: a paragraph for each failure, and the table in Markdown.

/** One line where a result has no failure; else what failed, what it expected, and where to read on. */
export function failuresOf({ plan, node, step, failures }, log) {
  const where = [plan, node && `Node.js ${node}`, step].filter(Boolean).join(', ');
  if (failures.length === 0) return `ok      ${where}`;
  const lines = failures.flatMap(({ check, expected, found, message }) => [
    `FAILED  ${where}: ${check}`,
    `        expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`,
    ...message.split('\n').map((line) => `        ${line}`),
  ]);
  return [...lines, `        output of the application: ${log}`].join('\n');
}

/** One line for each plan, one column for each Node.js. */
export function tableOf(results) {
  const columns = [...new Set(results.map(columnOf))];
  const plans = [...new Set(results.map(({ plan }) => plan))];
  const rows = plans.map((plan) => {
    const ofPlan = results.filter((result) => result.plan === plan);
    return [plan, ...columns.map((column) => cellOf(ofPlan, column))];
  });
  const header = ['', ...columns];
  return [header, header.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

const columnOf = ({ node, step }) => (node === undefined ? step : `Node.js ${node}`);

function cellOf(results, column) {
  const found = results.filter((result) => columnOf(result) === column);
  if (found.length === 0) return '';
  const failed = found.flatMap(({ step, failures }) =>
    failures.map(({ check }) => (check === step ? step : `${check} on ${step}`)),
  );
  return failed.length === 0 ? 'yes' : `no: ${failed.join(', ')}`;
}
