// A page with a table of tasks, which a server sorts, filters and cuts. Joined for browsers by its spec.
import { buildQueryString, fromTanStackTable } from '@fledge/query/client';
import {
  columnFilteringFeature,
  constructTable,
  createColumnHelper,
  globalFilteringFeature,
  rowPaginationFeature,
  rowSortingFeature,
  tableFeatures,
} from '@tanstack/table-core';
import { storeReactivityBindings } from '@tanstack/table-core/store-reactivity-bindings';

const features = tableFeatures({
  coreReactivityFeature: storeReactivityBindings(),
  columnFilteringFeature,
  globalFilteringFeature,
  rowPaginationFeature,
  rowSortingFeature,
});
const helper = createColumnHelper();
const columns = helper.columns(
  ['title', 'status', 'dueDate'].map((name) =>
    helper.accessor(name, { header: name, sortDescFirst: false }),
  ),
);
const operators = { status: 'in', dueDate: 'between' };

const table = constructTable({
  features,
  columns,
  data: [],
  manualFiltering: true,
  manualPagination: true,
  manualSorting: true,
  rowCount: 0,
  initialState: { pagination: { pageIndex: 0, pageSize: 5 } },
});

let latest = 0;

async function load() {
  const request = ++latest;
  const query = buildQueryString(fromTanStackTable(table.store.state, { operators }));
  const response = await fetch(`/tasks?${query}`, {
    headers: { authorization: 'Bearer demo-token-ada' },
  });
  const { data, meta, message } = await response.json();
  if (request !== latest) return;
  if (!response.ok) throw new Error(message);
  table.setOptions((options) => ({ ...options, data, rowCount: meta.total }));
  show(decodeURIComponent(query));
}

function show(query) {
  const rows = table.getRowModel().rows.map((row) => {
    const line = document.createElement('tr');
    for (const cell of row.getAllCells()) line.insertCell().textContent = cell.getValue();
    return line;
  });
  document.querySelector('tbody').replaceChildren(...rows);
  const { pageIndex } = table.store.state.pagination;
  const output = document.querySelector('output');
  output.dataset.query = query;
  output.textContent = `${table.getRowCount()} tasks, page ${pageIndex + 1} of ${table.getPageCount()}`;
  document.querySelector('#next').disabled = !table.getCanNextPage();
}

/** Changes the state, and loads its rows from the first page on. */
function change(act) {
  act();
  table.setPageIndex(0);
  void load();
}

for (const { column } of table.getHeaderGroups()[0].headers) {
  const button = document.createElement('button');
  button.textContent = column.id;
  button.addEventListener('click', (event) =>
    change(() => column.getToggleSortingHandler()(event)),
  );
  document.querySelector('thead tr').insertCell().append(button);
}
document
  .querySelector('#statuses')
  .addEventListener('change', ({ target }) =>
    change(() =>
      table
        .getColumn('status')
        .setFilterValue([...target.selectedOptions].map(({ value }) => value)),
    ),
  );
document
  .querySelector('#from')
  .addEventListener('change', ({ target }) =>
    change(() => table.getColumn('dueDate').setFilterValue([target.value, undefined])),
  );
document
  .querySelector('#search')
  .addEventListener('change', ({ target }) => change(() => table.setGlobalFilter(target.value)));
document.querySelector('#next').addEventListener('click', () => {
  table.nextPage();
  void load();
});
void load();
