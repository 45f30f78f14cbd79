throw new Error('crashes at import');
